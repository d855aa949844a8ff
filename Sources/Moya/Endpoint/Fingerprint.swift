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
    private let headers: [String: [String]]
    private let body: [Piece]
    private let failure: String?

    private enum Piece: Hashable {
        case text(String?)
        case data(Data)
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

    /// - Parameter prepare: what becomes of the request before it is sent.
    init(_ endpoint: Endpoint, _ prepare: (URLRequest) -> URLRequest = { $0 }) {
        var failure: String?
        var request: URLRequest?
        do throws(MoyaError) {
            request = prepare(try endpoint.urlRequest())
        } catch {
            failure = error.description
        }
        self.failure = failure
        method = request?.httpMethod.map(HTTPMethod.init(rawValue:)) ?? endpoint.method
        url = request?.url?.absoluteString ?? endpoint.url
        var headers: [String: [String]] = [:]
        for (name, value) in request?.allHTTPHeaderFields ?? endpoint.headers.dictionary {
            headers[name.lowercased(), default: []].append(value)
        }
        self.headers = headers
        body = (request?.httpBody.map { [.data($0)] } ?? []) + Self.pieces(endpoint.task)
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
