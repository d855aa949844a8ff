/// The JSON structure of a HAR file, for encoding and decoding.
///
/// All members are optional, because browsers leave some out.
struct HARFile: Codable {
    struct Log: Codable {
        var version: String?
        var creator: Creator?
        var entries: [Entry]?
    }

    struct Creator: Codable {
        var name: String?
        var version: String?
    }

    struct Entry: Codable {
        var startedDateTime: String?
        var time: Double?
        var request: Request?
        var response: Response?
        var cache: EmptyObject?
        var timings: Timings?
        var _moya: MoyaExtension?
    }

    struct Request: Codable {
        var method: String?
        var url: String?
        var httpVersion: String?
        var cookies: [EmptyObject]?
        var headers: [NameValuePair]?
        var queryString: [NameValuePair]?
        var postData: PostData?
        var headersSize: Double?
        var bodySize: Double?
    }

    struct PostData: Codable {
        var mimeType: String?
        var text: String?
        var params: [NameValuePair]?
        /// The encoding of `text`, such as `base64`; only the proposed version 1.3 of the format has this member.
        var encoding: String?
    }

    struct Response: Codable {
        var status: Double?
        var statusText: String?
        var httpVersion: String?
        var cookies: [EmptyObject]?
        var headers: [NameValuePair]?
        var content: Content?
        var redirectURL: String?
        var headersSize: Double?
        var bodySize: Double?
    }

    struct Content: Codable {
        var size: Double?
        var mimeType: String?
        var text: String?
        var encoding: String?
    }

    struct Timings: Codable {
        var blocked: Double?
        var dns: Double?
        var connect: Double?
        var ssl: Double?
        var send: Double?
        var wait: Double?
        var receive: Double?
    }

    struct NameValuePair: Codable {
        var name: String?
        var value: String?
    }

    struct EmptyObject: Codable {}

    /// The members of an entry that only this package writes.
    ///
    /// They are in `_moya`, because other programs ignore members whose names begin with an underscore.
    struct MoyaExtension: Codable {
        var attempt: Int?
        var failure: Failure?
        var chunks: [Chunk]?
        var trailers: [NameValuePair]?
        /// `base64` if the text of the request's content is encoded in base64; otherwise `nil`.
        var requestEncoding: String?
        /// The length of the request's content in bytes, if the content was not recorded.
        var requestSize: Int?
        /// The name of the file with the request's content, in the directory of the archive.
        var requestFile: String?
        /// The name of the file with the response's content, in the directory of the archive.
        var responseFile: String?

        var isEmpty: Bool {
            attempt == nil && failure == nil && chunks == nil && trailers == nil && requestEncoding == nil
                && requestSize == nil && requestFile == nil && responseFile == nil
        }
    }

    struct Failure: Codable {
        var code: Int
        var text: String
    }

    /// A chunk of content: its offset in bytes, and its time in milliseconds since the start of the request.
    struct Chunk: Codable {
        var offset: Int
        var time: Double
    }

    var log: Log
}
