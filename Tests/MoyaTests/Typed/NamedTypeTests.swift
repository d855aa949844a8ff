import Foundation
import Moya
import TestSupport
import Testing

/// Calls that name the type of the value, instead of a target that declares it.
@Suite("value(_:as:)", .queued, .timeLimit(.minutes(10)))
struct NamedTypeTests {
    @MainActor struct Isolated: @MainActor Decodable {
        let name: String
    }

    private let provider = MoyaProvider<MyService>.stubbed { target in
        if case .zen = target {
            .status(503, headers: ["Retry-After": "2"], Data("{}".utf8))
        } else {
            .status(200, Data(#"{"name": "ash"}"#.utf8))
        }
    }

    @Test("decodes in the isolation of its caller, so that the type may be isolated")
    @MainActor func isolated() async throws {
        let user = try await provider.value(.showUser(id: 7), as: Isolated.self)
        expectEqual(user.name, "ash")
        let (sameUser, response) = try await provider.valueAndResponse(.showUser(id: 7), as: Isolated.self)
        expectEqual("\(sameUser.name) \(response.statusCode)", "ash 200")
    }

    @Test("takes a target of any type with a provider of MultiTarget")
    func anyTarget() async throws {
        struct Users: TargetType {
            let baseURL = URL(string: "https://a.example") ?? URL(filePath: "/")
            let path = "/users"
        }
        let provider = MoyaProvider<MultiTarget>.stubbed { _ in .status(200, Data(#"["ash"]"#.utf8)) }
        try await expectEqual(provider.value(Users(), as: [String].self), ["ash"])
    }

    @Test("text and data are the content itself, also in generic code and with a provider of MultiTarget")
    func content() async throws {
        func value<Value: Decodable & Sendable>(of type: Value.Type) async throws -> Value {
            try await provider.value(TypedTarget<MyService, Value>(.showUser(id: 7)))
        }
        let text = #"{"name": "ash"}"#
        try await expectEqual(provider.value(.showUser(id: 7), as: String.self), text)
        try await expectEqual(provider.value(.showUser(id: 7), as: Data.self), Data(text.utf8))
        try await expectEqual(value(of: String.self), text)
        try await expectEqual(value(of: Data.self), Data(text.utf8))
        try await expectEqual(value(of: [String: String].self), ["name": "ash"])
        let any = MoyaProvider<MultiTarget>.stubbed { _ in .status(200, Data("text".utf8)) }
        try await expectEqual(any.value(MyService.zen, as: String.self), "text")
        let name = TypedTarget<MyService, String>(.showUser(id: 7), at: "name")
        try await expectEqual(provider.value(name), "ash")
    }

    @Test("refuses status codes as other typed calls do; the sample has header fields")
    func refused() async {
        let error = await #expect(throws: MoyaError.self) {
            try await provider.value(.zen, as: [String: String].self)
        }
        expectEqual(error?.kind, .http)
        expectEqual(error?.response?.headers["Retry-After"], "2")
        #expect(error?.isCancelled == false)
    }

    @Test("sends nothing in a cancelled task, and says that it was cancelled")
    func cancelled() async {
        let task = Task { [provider] () -> MoyaError? in
            do throws(MoyaError) {
                while !Task.isCancelled { await Task.yield() }
                _ = try await provider.value(.showUser(id: 7), as: [String: String].self)
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        let error = await task.value
        #expect(error?.isCancelled == true)
    }
}
