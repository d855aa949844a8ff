import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What makes two endpoints the same request: method, URL, header fields whatever their order and case, and the content.
///
/// Our own, because on Linux requests that differ in headers or body are equal to Foundation.
struct Fingerprint: Hashable, Sendable {
    private let method: HTTPMethod
    private let url: String
    /// Of a request they are sorted by name.
    private let headers: HTTPHeaders
    private let body: [Piece]
    private let failure: String?

    private enum Piece: Hashable {
        case text(String?)
        case data(Data)
        /// The members of objects in any order, as an encoder without `sortedKeys` writes them.
        case json(JSONValue)
        case file(URL)
        /// Opened by a closure, of which nothing but the length is known.
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

    /// Whether all of the content is known, so that an equal fingerprint means an equal request.
    var isWhole: Bool {
        failure == nil && !body.contains { if case .stream = $0 { true } else { false } }
    }

    init(_ endpoint: Endpoint) {
        do throws(MoyaError) {
            self.init(try endpoint.urlRequest(), endpoint.task)
        } catch {
            self.init(endpoint, failure: error.description)
        }
    }

    private init(_ endpoint: Endpoint, failure: String) {
        method = endpoint.method
        url = endpoint.url
        headers = endpoint.headers
        body = []
        self.failure = failure
    }

    /// - Parameter task: what the request was made for: files and forms are not in it yet.
    init(_ request: URLRequest, _ task: RequestTask) {
        method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        url = request.url?.absoluteString ?? ""
        let fields = HTTPHeaders(request.allHTTPHeaderFields ?? [:]).fields
        headers = HTTPHeaders(fields: fields.sorted { $0.name.lowercased() < $1.name.lowercased() })
        let content = request.httpBody.map { data in
            task.hasCustomEncoder ? (try? JSONValue(data: data)).map(Piece.json) ?? .data(data) : .data(data)
        }
        body = [content].compactMap(\.self) + Self.pieces(task)
        failure = request.httpBodyStream == nil ? nil : "a stream cannot be compared"
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
    /// Whether both mean the same request: method, URL, header fields whatever their order and case, and content.
    ///
    /// Files are the same if their URLs are, streams if their lengths are; where a download goes, and the sample response, do
    /// not count. Both are encoded for the comparison.
    public static func == (left: Endpoint, right: Endpoint) -> Bool {
        Fingerprint(left) == Fingerprint(right)
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(Fingerprint(self))
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
