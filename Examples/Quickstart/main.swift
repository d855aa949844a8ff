// A tour of Moya and MoyaStreams in eight stops: `swift run Quickstart`.
//
// The requests go over real sockets, to a server that runs in this process (LoopbackAPI.swift). What is asked for is
// described in Targets.swift.
import Foundation
import MoyaStreams
import MoyaTesting

/// Waits until `body` has called its argument.
func finish(_ body: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in body { continuation.resume() } }
}

func stop(_ number: Int, _ title: String) { print("\n\(number). \(title)") }

print("Moya Quickstart: real HTTP to \(MyService.server.url)")

stop(1, "An enum target whose cases have types, with async and await")
let provider = MoyaProvider<MyService>(decoding: ResponseDecoding(errorBody: .json(ServerMessage.self)))
print("   \(try await provider.value(.zen))")
print("   hello, \(try await provider.value(.showUser(id: 7)).name)")

stop(2, "A struct target with a path template and a type")
let structs = MoyaProvider<MultiTarget>()
let user = try await structs.value(ShowUser(id: 7))
print("   GET /users/{id} gave \(user.name), number \(user.id)")

stop(3, "A status that is no success, and what the server says about it")
do {
    _ = try await provider.value(.showUser(id: 404))
} catch {
    let message = error.body(as: ServerMessage.self)?.message ?? "nothing"
    print("   kind \(error.kind), status \(error.response?.statusCode ?? 0): \(message)")
}

stop(4, "The value as a stream, with a chain of operators")
await finish { done in
    provider.requestValue(.showUser(id: 7))
        .map(\.name)
        .handleEvents(onEnd: done)
        .subscribeNext { print("   hello, \($0)") }
}

stop(5, "The response as it is: filter, map, subscribe")
await finish { done in
    provider.request(.showUser(id: 7))
        .filterSuccessfulStatusCodes()
        .mapJSON()
        .handleEvents(onEnd: done)
        .subscribeNext { print("   hello, \($0["name"]?.string ?? "nobody")") }
}

stop(6, "The response with a callback")
await finish { done in
    provider.request(.zen) { result in
        switch result {
        case .success(let response): print("   \(response.statusCode):", (try? response.mapString()) ?? "no text")
        case .failure(let error): print("   failed:", error)
        }
        done()
    }
}

stop(7, "A cancel")
await finish { done in
    let call = provider.request(.slow) { result in
        if case .failure(let error) = result { print("   kind \(error.kind)") }
        done()
    }
    call.cancel()
}

stop(8, "A stream in virtual time: a minute passes at once")
let time = VirtualTime(tick: .seconds(10))
let stubbed = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(60), scheduler: time)
let recording = time.play(stubbed.requestValue(.showUser(id: 7)).map { $0.name.prefix(1) })
print("   \(recording)   one character is ten seconds")

print("\nThe server saw:", MyService.server.log.joined(separator: ", "))
MyService.server.stop()
