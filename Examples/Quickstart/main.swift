// Moya and MoyaStreams in six steps: `swift run Quickstart`.
//
// The requests are sent over sockets to a server in this process (LoopbackAPI.swift). Targets.swift has the targets.
import Foundation
import MoyaStreams
import MoyaTesting

/// Waits until `body` has called its argument.
func finish(_ body: (@escaping @Sendable () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in body { continuation.resume() } }
}

func step(_ number: Int, _ title: String) { print("\n\(number). \(title)") }

print("Moya Quickstart: requests to \(MyService.server.url)")

step(1, "An enum target, with a callback")
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

step(2, "A struct target with a path template, with async and await")
let users = MoyaProvider<ShowUser>()
let user = try await users.response(ShowUser(id: 7)).map(User.self)
print("   GET /users/{id} gave \(user.name), number \(user.id)")

step(3, "A chain: filter, map, subscribe")
await finish { done in
    provider.request(.showUser(id: 7))
        .filterSuccessfulStatusCodes()
        .map(User.self)
        .handleEvents(onEnd: done)
        .subscribeNext { print("   hello, \($0.name)") }
}

step(4, "A status code that is not successful")
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

step(5, "A cancel")
await finish { done in
    let call = provider.request(.slow) { result in
        if case .failure(let error) = result { print("   kind \(error.kind)") }
        done()
    }
    call.cancel()
}

step(6, "The chain of step 3 in virtual time: a minute takes no time")
let time = VirtualTime(tick: .seconds(10))
let stubbed = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(60), scheduler: time)
let recording = time.play(
    stubbed.request(.showUser(id: 7)).filterSuccessfulStatusCodes().map(User.self).map { $0.name.prefix(1) })
print("   \(recording)   one character is ten seconds")

print("\nThe requests of the server:", MyService.server.log.joined(separator: ", "))
MyService.server.stop()
