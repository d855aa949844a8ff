import Foundation

// Equal for equal requests, whatever the order of fields and the case of their names. `URLRequest` is unsuitable: on
// Linux, its `==` ignores header fields and content.
struct RequestKey: Hashable, Sendable {
    private let method: HTTPMethod
    let url: String
    private let headers: HTTPHeaders
    private let body: [BodyComponent?]

    private enum BodyComponent: Hashable {
        /// Data, or the bytes of a text, because `==` of `String` is `true` for different ones.
        case data(Data)
        case file(URL)
        /// The length of a stream; `nil` if it is not known. The bytes of streams are not compared.
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

    /// `false` if content is a stream, whose bytes aren't compared.
    var identifiesRequest: Bool { !body.contains { if case .stream? = $0 { true } else { false } } }

    private static func bodyComponents(of task: RequestTask) -> [BodyComponent?] {
        func text(_ text: String?) -> BodyComponent? { text.map { .data(Data($0.utf8)) } }
        return switch task {
        case .uploadFile(let url): [.file(url)]
        case .upload(let body, let contentType): [BodyComponent(body), text(contentType)]
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _, _):
            [text(form.boundary)]
                + form.parts.flatMap { part in
                    [text(part.name), text(part.fileName), text(part.mimeType), BodyComponent(part.provider)]
                }
        default: []
        }
    }
}

extension RequestKey {
    init(_ endpoint: Endpoint) {
        do throws(MoyaError) {
            self.init(try endpoint.request(), endpoint.task)
        } catch {
            self.init(
                method: endpoint.method, url: endpoint.url, headers: endpoint.headers.sortedByName,
                body: [.data(Data(error.description.utf8))])
        }
    }

    /// - Parameter task: has the files and multipart forms, which `request` doesn't contain.
    init(_ request: TransportRequest, _ task: RequestTask) {
        var content = BodyComponent(request.body)
        switch task {
        case .requestCustomJSONEncodable, .requestCompositeJSONEncodable:
            // The caller's encoder may write members in any order.
            let json = request.content.flatMap { try? JSONEncoder.sortingKeys.encode(JSONValue(data: $0)) }
            if let json { content = .data(json) }
        default: break
        }
        self.init(
            method: request.method, url: request.url.absoluteString, headers: request.headers.sortedByName,
            body: [content] + Self.bodyComponents(of: task))
    }
}

extension Endpoint: Hashable {
    /// Returns whether both endpoints describe the same request.
    ///
    /// The method, URL, header fields and content are compared. The order of the fields and the case of their names
    /// make no difference. Files are equal if their URLs are equal, and streams if their lengths are equal. The
    /// destinations of downloads and the sample responses are not compared. Each comparison encodes both endpoints.
    public static func == (left: Endpoint, right: Endpoint) -> Bool {
        RequestKey(left) == RequestKey(right)
    }

    /// Hashes the parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(RequestKey(self))
    }
}

extension HTTPHeaders {
    var sortedByName: HTTPHeaders {
        HTTPHeaders(fields: fields.sorted { $0.name.lowercased() < $1.name.lowercased() })
    }
}
