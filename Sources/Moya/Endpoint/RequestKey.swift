import Foundation

/// The parts of a request that are compared: method, URL, header fields in any order and case, and content.
///
/// Foundation's comparison of `URLRequest` ignores header fields and content on Linux.
struct RequestKey: Hashable, Sendable {
    private let method: HTTPMethod
    private let url: String
    /// The header fields, sorted by name.
    private let headers: HTTPHeaders
    private let body: [Piece]
    private let failure: String?

    private enum Piece: Hashable {
        case text(String?)
        case data(Data)
        /// JSON whose members are compared in any order, because an encoder without `sortedKeys` may reorder them.
        case json(JSONValue)
        case file(URL)
        /// A stream that a closure opens: only its length is known.
        case stream(Int64?)

        init?(_ body: RequestBody) {
            switch body {
            case .none: return nil
            case .data(let data): self = .data(data)
            case .file(let url): self = .file(url)
            case .stream(let length, _): self = .stream(length)
            }
        }
    }

    /// Whether all of the content is known, so that equal keys mean equal requests.
    var isWhole: Bool {
        failure == nil && !body.contains { if case .stream = $0 { true } else { false } }
    }

    init(_ endpoint: Endpoint) {
        do throws(MoyaError) {
            self.init(try endpoint.request(), endpoint.task)
        } catch {
            self.init(endpoint, failure: error.description)
        }
    }

    private init(_ endpoint: Endpoint, failure: String) {
        method = endpoint.method
        url = endpoint.url
        headers = endpoint.headers.sortedByName
        body = []
        self.failure = failure
    }

    /// Creates the key of a request.
    ///
    /// - Parameter task: the task of the request, which has the content of files and forms.
    init(_ request: ResolvedRequest, _ task: RequestTask) {
        method = request.method
        url = request.url.absoluteString
        headers = request.headers.sortedByName
        let content = request.content.map { data in
            task.hasCustomEncoder ? (try? JSONValue(data: data)).map(Piece.json) ?? .data(data) : .data(data)
        }
        body = [content].compactMap(\.self) + Self.pieces(task)
        failure = nil
    }

    private static func pieces(_ task: RequestTask) -> [Piece] {
        switch task {
        case .uploadFile(let url): [.file(url)]
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _, _):
            [.text(form.boundary)]
                + form.parts.flatMap { part -> [Piece] in
                    [.text(part.name), .text(part.fileName), .text(part.mimeType)]
                        + [Piece(part.provider)].compactMap(\.self)
                }
        default: []
        }
    }
}

extension Endpoint: Hashable {
    /// Returns whether both describe the same request: method, URL, header fields in any order and case, and content.
    ///
    /// Files are equal if their URLs are equal, streams if their lengths are. The destination of a download and the
    /// sample response are not compared. Both endpoints are encoded for the comparison.
    public static func == (left: Endpoint, right: Endpoint) -> Bool {
        RequestKey(left) == RequestKey(right)
    }

    /// Hashes the parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(RequestKey(self))
    }
}

extension HTTPHeaders {
    /// The fields, sorted by their names in lower case.
    var sortedByName: HTTPHeaders {
        HTTPHeaders(fields: fields.sorted { $0.name.lowercased() < $1.name.lowercased() })
    }
}

extension RequestTask {
    /// Whether its content comes from an encoder that may write members in any order.
    fileprivate var hasCustomEncoder: Bool {
        switch self {
        case .requestCustomJSONEncodable, .requestCompositeJSONEncodable: true
        default: false
        }
    }
}
