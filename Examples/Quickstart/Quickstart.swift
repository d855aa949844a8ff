// Moya and MoyaStreams in eight steps: `swift run Quickstart`.
//
// The requests are sent over sockets to a server in this process (LoopbackAPI.swift). Targets.swift has the targets.
import Foundation
import MoyaStreams
import MoyaTesting
import TerminalSupport

@main
struct Quickstart {
    static let usage = """
        USAGE: Quickstart

        Sends requests to a server in this process, in eight ways, and prints what they give. Needs no network.

        OPTIONS:
          -h, --help    prints this text
        """

    static func main() async {
        await Command(usage: usage).run { arguments in
            try arguments.finish()
            print("Moya Quickstart: requests to \(MyService.server.url)")
            defer { MyService.server.stop() }
            let provider = MoyaProvider<MyService>(
                decoding: ResponseDecoding(errorBody: .json(ServerMessage.self)))
            try await sendTypedRequests(provider)
            await subscribeToStreams(provider)
            await callBack(provider)
            playInVirtualTime()
            print("\nThe requests of the server:", MyService.server.log.joined(separator: ", "))
        }
    }

    static func sendTypedRequests(_ provider: MoyaProvider<MyService>) async throws {
        step(1, "An enum target whose cases have types, with async and await")
        print("   \(try await provider.value(.zen))")
        print("   hello, \(try await provider.value(.showUser(id: 7)).name)")

        step(2, "A struct target with a path template and a type")
        let structs = MoyaProvider<MultiTarget>()
        let user = try await structs.value(ShowUser(id: 7))
        print("   GET /users/{id} gave \(user.name), number \(user.id)")

        step(3, "A status code that is not successful, and the content of the error")
        do {
            _ = try await provider.value(.showUser(id: 404))
        } catch {
            let message = error.body(as: ServerMessage.self)?.message ?? "nothing"
            print("   kind \(error.kind), status \(error.response?.statusCode ?? 0): \(message)")
        }
    }

    static func subscribeToStreams(_ provider: MoyaProvider<MyService>) async {
        step(4, "The value as a stream, with a chain of operators")
        await finish { done in
            provider.requestValue(.showUser(id: 7))
                .map(\.name)
                .handleEvents(onEnd: done)
                .subscribeNext { print("   hello, \($0)") }
        }

        step(5, "The untyped response: filter, map, subscribe")
        await finish { done in
            provider.request(.showUser(id: 7))
                .filterSuccessfulStatusCodes()
                .mapJSON()
                .handleEvents(onEnd: done)
                .subscribeNext { print("   hello, \($0["name"]?.string ?? "unknown")") }
        }
    }

    static func callBack(_ provider: MoyaProvider<MyService>) async {
        step(6, "The response with a callback")
        await finish { done in
            provider.request(.zen) { result in
                switch result {
                case .success(let response):
                    print("   \(response.statusCode):", (try? response.mapString()) ?? "no text")
                case .failure(let error): print("   failed:", error)
                }
                done()
            }
        }

        step(7, "A cancel")
        await finish { done in
            let call = provider.request(.slow) { result in
                if case .failure(let error) = result { print("   kind \(error.kind)") }
                done()
            }
            call.cancel()
        }
    }

    static func playInVirtualTime() {
        step(8, "A stream in virtual time: a minute takes no time")
        let time = VirtualTime(tick: .seconds(10))
        let stubbed = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(60), scheduler: time)
        let recording = time.play(stubbed.requestValue(.showUser(id: 7)).map { $0.name.prefix(1) })
        print("   \(recording)   one character is ten seconds")
    }

    /// Waits until `body` has called its argument.
    static func finish(_ body: (@escaping @Sendable () -> Void) -> Void) async {
        await withCheckedContinuation { continuation in body { continuation.resume() } }
    }

    static func step(_ number: Int, _ title: String) {
        print("\n\(Terminal.output.styled("\(number). \(title)", .bold))")
    }
}
