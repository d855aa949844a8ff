import Foundation
import MoyaHTTP

// A HAR file as JSON. All members are optional, because browsers leave some out. Those with a default are written only.
struct HARFile: Codable {
    struct Log: Codable {
        var version: String?
        var creator: Creator?
        var entries: [LenientEntry]?
    }

    struct LenientEntry: Codable {
        let entry: Result<Entry, any Error>

        init(_ entry: Entry) { self.entry = .success(entry) }

        init(from decoder: any Decoder) throws {
            entry = Result { try Entry(from: decoder) }
        }

        func encode(to encoder: any Encoder) throws { try entry.get().encode(to: encoder) }
    }

    /// A number, which Internet Explorer writes as a string; `nil` for anything else.
    struct Number: Codable {
        var value: Double?

        init(_ value: Double?) { self.value = value }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
            } else {
                value = (try? container.decode(String.self)).flatMap { Double($0.trimmingCharacters(in: .whitespaces)) }
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    struct Creator: Codable {
        var name: String?
        var version: String?
    }

    struct Entry: Codable {
        var startedDateTime: String?
        var time: Number?
        var request: Request?
        var response: Response?
        var cache: EmptyObject? = EmptyObject()
        var timings: Timings?
        var _moya: MoyaExtension?
    }

    struct Request: Codable {
        var method: String?
        var url: String?
        var httpVersion: String?
        var cookies: [EmptyObject]? = []
        var headers: [NameValuePair]?
        var queryString: [NameValuePair]?
        var postData: PostData?
        var headersSize: Number? = Number(-1)
        var bodySize: Number?
    }

    struct PostData: Codable {
        var mimeType: String?
        var text: String?
        var params: [NameValuePair]?
        /// The encoding of `text`, such as `base64`; only the proposed version 1.3 of the format has this member.
        var encoding: String?
    }

    struct Response: Codable {
        var status: Number?
        var statusText: String? = ""
        var httpVersion: String?
        var cookies: [EmptyObject]? = []
        var headers: [NameValuePair]?
        var content: Content?
        var redirectURL: String?
        var headersSize: Number? = Number(-1)
        var bodySize: Number? = Number(-1)
    }

    struct Content: Codable {
        var size: Number?
        var mimeType: String?
        var text: String?
        var encoding: String?
    }

    struct Timings: Codable {
        var blocked: Number?
        var dns: Number?
        var connect: Number?
        var ssl: Number?
        var send: Number?
        var wait: Number?
        var receive: Number?
    }

    struct NameValuePair: Codable, Hashable {
        var name: String?
        var value: String?
    }

    struct EmptyObject: Codable {}

    /// Members that only this package writes, in `_moya`: other programs ignore names that begin with an underscore.
    struct MoyaExtension: Codable, Hashable {
        var attempt: Int?
        var failure: Failure?
        var chunks: [Chunk]?
        var trailers: [NameValuePair]?
        /// `base64` if the text of the request's content is encoded in base64; otherwise `nil`.
        var requestEncoding: String?
        /// The length of the request's content in bytes, if the content was not recorded.
        var requestSize: Int?
        var requestFile: String?
        var responseFile: String?
    }

    struct Failure: Codable, Hashable {
        var code: Int
        var text: String
    }

    /// A chunk of content: its offset in bytes, and its time in milliseconds since the start of the request.
    struct Chunk: Codable, Hashable {
        var offset: Int
        var time: Double
    }

    var log: Log
}

extension HARFile.NameValuePair {
    /// Some programs write numbers as the values of a query.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        value = try container.decodeIfPresent(JSONValue.self, forKey: .value).map { json in
            json.string ?? "\(json.foundationObject)"
        }
    }
}
