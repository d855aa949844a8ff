import Foundation
import Moya
import MoyaTesting

/// A server in this process that has one archive of 10 MB, which it redirects to, as GitHub does.
struct OfflineGitHub {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { request in
            switch request.path {
            case "/repos/ash/pokedex/tarball": .status(302, headers: ["Location": "/archives/pokedex.tar.gz"])
            case "/archives/pokedex.tar.gz":
                .status(200, headers: ["Content-Type": "application/gzip"], body: Data(count: 10_000_000))
            default: .json(#"{"message": "Not Found"}"#, status: 404)
            }
        }
    }

    var url: URL { server.url }

    func stop() { server.stop() }
}
