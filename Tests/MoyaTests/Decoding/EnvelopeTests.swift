import Foundation
import Moya
import TestSupport
import Testing

/// APIs that report errors with the status code 200.
@Suite(.queued, .timeLimit(.minutes(10))) struct EnvelopeTests {
    private struct SlackError: Error, Equatable {
        let code: String
    }

    private struct Slack: ResponseEnvelope {
        let ok: Bool
        let error: String?
        let channels: [String]?

        func content() throws -> [String] {
            guard ok, let channels else { throw SlackError(code: error ?? "unknown") }
            return channels
        }
    }

    /// An envelope with a value and errors, as in GraphQL.
    private struct GraphQL<Content: Decodable & Sendable>: ResponseEnvelope {
        struct Problem: Decodable, Sendable, Equatable { let message: String }
        struct Problems: Error { let all: [Problem] }
        struct Partial: Sendable {
            let data: Content
            let problems: [Problem]
        }

        let data: Content?
        let errors: [Problem]?

        func content() throws -> Partial {
            guard let data else { throw Problems(all: errors ?? []) }
            return Partial(data: data, problems: errors ?? [])
        }
    }

    private let provider = MoyaProvider<Stubbed>.stubbed()

    @Test func theContentIsTheValue() async throws {
        let target = Stubbed(content: #"{"ok": true, "channels": ["general"]}"#)
        try await expectEqual(provider.value(TypedTarget(target, .enveloped(Slack.self))), ["general"])
    }

    @Test("an error that an envelope throws is that of the call, with the response")
    func errorEnvelope() async {
        let target = TypedTarget(Stubbed(content: #"{"ok": false, "error": "not_authed"}"#), .enveloped(Slack.self))
        let error = await failure { () async throws(MoyaError) in try await provider.value(target) }
        expectEqual(error?.body(as: SlackError.self), SlackError(code: "not_authed"))
        expectEqual(error?.response?.statusCode, 200)
        #expect(error?.description.contains("not_authed") == false)
    }

    @Test func partialDataComesWithItsErrors() async throws {
        let target = Stubbed(content: #"{"data": [1], "errors": [{"message": "partly"}]}"#)
        let partial = try await provider.value(TypedTarget(target, .enveloped(GraphQL<[Int]>.self)))
        expectEqual(partial.data, [1])
        expectEqual(partial.problems.map(\.message), ["partly"])
        let failed = TypedTarget(
            Stubbed(content: #"{"errors": [{"message": "wholly"}]}"#), .enveloped(GraphQL<[Int]>.self))
        let error = await failure { () async throws(MoyaError) in try await provider.value(failed) }
        expectEqual(error?.body(as: GraphQL<[Int]>.Problems.self)?.all.map(\.message), ["wholly"])
    }

    @Test func contentThatIsNoEnvelopeIsADecodingFailure() async {
        let target = TypedTarget(Stubbed(content: "[]"), .enveloped(Slack.self))
        await expectEqual(failure { () async throws(MoyaError) in try await provider.value(target) }?.kind, .decoding)
    }
}
