import Foundation
import Moya
import MoyaTesting
import MoyaWebSocket
import TestSupport

extension LoopbackServer {
    static func echoingWebSockets() throws -> LoopbackServer {
        try LoopbackServer { request in
            .webSocket(request) { socket in while let message = socket.receive() { socket.send(message) } }
        }
    }
}

#if os(Linux)
    extension MoyaProvider where Target == Local {
        /// A provider with a transport of its own.
        static func overCurl(
            _ configure: (inout ProviderConfiguration) -> Void = { _ in }
        ) throws -> MoyaProvider<Local> {
            var configuration = ProviderConfiguration(transport: try CurlTransport(threads: 1))
            configure(&configuration)
            return MoyaProvider(configuration: configuration)
        }
    }
#endif
