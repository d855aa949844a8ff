// A tour of Moya and MoyaStreams in six stops: `swift run Quickstart`.
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

stop(1, "An enum target, with a callback")
let provider = MoyaProvider<MyService>()
await finish { done in
    provider.request(.zen) { result in
        switch result {
        case .success(let response): print("   \(response.statusCode):", (try? response.mapString()) ?? "no text")
        case .failure(let error): print("   failed:", error)
        }
        done()
    }
}

stop(2, "A struct target with a path template, with async and await")
let users = MoyaProvider<ShowUser>()
let user = try await users.response(ShowUser(id: 7)).map(User.self)
print("   GET /users/{id} gave \(user.name), number \(user.id)")

stop(3, "A chain: filter, map, subscribe")
await finish { done in
    provider.request(.showUser(id: 7))
        .filterSuccessfulStatusCodes()
        .map(User.self)
        .handleEvents(onEnd: done)
        .subscribeNext { print("   hello, \($0.name)") }
}

stop(4, "A status that is no success")
await finish { done in
    provider.request(.showUser(id: 404))
        .filterSuccessfulStatusCodes()
        .map(User.self)
        .handleEvents(onEnd: done)
        .subscribeError { error in
            guard let error = error as? MoyaError else { return }
            print("   kind \(error.kind), status \(error.response?.statusCode ?? 0):", error.localizedDescription)
        }
}

stop(5, "A cancel")
await finish { done in
    let call = provider.request(.slow) { result in
        if case .failure(let error) = result { print("   kind \(error.kind)") }
        done()
    }
    call.cancel()
}

stop(6, "The chain of stop 3 in virtual time: a minute passes at once")
let time = VirtualTime(tick: .seconds(10))
let stubbed = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(60), scheduler: time)
let recording = time.play(
    stubbed.request(.showUser(id: 7)).filterSuccessfulStatusCodes().map(User.self).map { $0.name.prefix(1) })
print("   \(recording)   one character is ten seconds")

print("\nThe server saw:", MyService.server.log.joined(separator: ", "))
MyService.server.stop()
