import Foundation
import MoyaTesting

/// The HTTP server of this example, which runs in this process.
struct LoopbackAPI {
    private let server: LoopbackServer

    init() {
        do {
            server = try LoopbackServer { request in
                switch request.path {
                case "/zen": .text("Half measures are as bad as nothing at all.")
                case "/users/7": .json(#"{"id": 7, "name": "Harry"}"#)
                case "/slow": .silence
                default: .json(#"{"message": "unknown path"}"#, status: 404)
                }
            }
        } catch {
            print("The loopback server cannot start: \(error)")
            exit(1)
        }
    }

    var url: URL { server.url }

    /// The methods and targets of the received requests.
    var log: [String] { server.requests.map { "\($0.method) \($0.target)" } }

    func stop() { server.stop() }
}
