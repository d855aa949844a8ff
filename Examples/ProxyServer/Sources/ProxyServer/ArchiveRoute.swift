import Foundation
import Moya
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

typealias ResponseWriter = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

/// The route `GET /archives/OWNER/REPOSITORY`: sends an archive while it is received from GitHub.
struct ArchiveRoute: Sendable {
    private let gitHub: MoyaProvider<DownloadArchive>

    init(gitHub: MoyaProvider<DownloadArchive>) {
        self.gitHub = gitHub
    }

    func respond(to request: HTTPRequestHead, on writer: ResponseWriter) async throws {
        guard let target = DownloadArchive(uri: request.uri) else {
            return try await writer.write(status: .notFound, "The paths are /archives/OWNER/REPOSITORY.")
        }
        guard request.method == .GET else {
            return try await writer.write(status: .methodNotAllowed, headers: ["Allow": "GET"], "The method is GET.")
        }
        let response: StreamedResponse
        do {
            response = try await gitHub.streamedResponse(target)
        } catch {
            return switch error.kind {
            case .request: try await writer.write(status: .notFound, "No repository has this name.")
            case .timeout: try await writer.write(status: .gatewayTimeout, "GitHub does not respond.")
            default: try await writer.write(status: .badGateway, "GitHub cannot be reached.")
            }
        }
        try await writer.write(.head(HTTPResponseHead(forwarding: response.head)))
        // A write is suspended while the client is slow. Meanwhile no chunk is read, and so GitHub is held back.
        for try await chunk in response {
            try await writer.write(.body(.byteBuffer(ByteBuffer(data: chunk))))
        }
        try await writer.write(.end(nil))
    }
}

struct DownloadArchive: RelativeTarget {
    let path = "/repos/{owner}/{name}/tarball"
    /// Without an encoding, the content is forwarded as it is, and its length is known.
    let headers: [String: String]? = ["Accept-Encoding": "identity"]
    let owner: String
    let name: String
}

extension DownloadArchive {
    /// The target for the path `/archives/OWNER/REPOSITORY`; `nil` for another path.
    init?(uri: String) {
        let path = uri.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        guard path.count == 4, path[0].isEmpty, path[1] == "archives",
            let owner = path[2].removingPercentEncoding, let name = path[3].removingPercentEncoding
        else { return nil }
        self.init(owner: owner, name: name)
    }
}

extension HTTPResponseHead {
    /// The fields about the content; all others belong to the connection to GitHub, or to its own clients.
    private static let forwardedFields = [
        "Content-Type", "Content-Length", "Content-Disposition", "ETag", "Last-Modified", "Cache-Control",
    ]

    fileprivate init(forwarding head: ResponseHead) {
        let fields = Self.forwardedFields.flatMap { name in head.headers.values(for: name).map { (name, $0) } }
        self.init(
            version: .http1_1, status: HTTPResponseStatus(statusCode: head.statusCode),
            headers: NIOHTTP1.HTTPHeaders(fields))
    }
}

extension ResponseWriter {
    fileprivate func write(
        status: HTTPResponseStatus, headers: NIOHTTP1.HTTPHeaders = [:], _ text: String
    ) async throws {
        var headers = headers
        headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
        headers.add(name: "Content-Length", value: "\(text.utf8.count)")
        try await write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
        try await write(.body(.byteBuffer(ByteBuffer(string: text))))
        try await write(.end(nil))
    }
}
