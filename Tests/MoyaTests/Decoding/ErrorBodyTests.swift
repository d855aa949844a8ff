import Foundation
import Moya
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ErrorBodyTests {
    private struct APIError: Decodable, Sendable, Equatable {
        let message: String
    }

    private let provider = MoyaProvider<Stubbed>.stubbed(ResponseDecoding(errorBody: .json(APIError.self)))

    private func error(_ target: Stubbed, _ provider: MoyaProvider<Stubbed>? = nil) async -> MoyaError? {
        let provider = provider ?? self.provider
        return await failure { () async throws(MoyaError) in try await provider.value(target.json(JSONValue.self)) }
    }

    @Test("a typed call refuses a failure although the target does not validate; `request` does not")
    func typedCallsValidate() async throws {
        let target = Stubbed(status: 404, content: #"{"message": "gone"}"#)
        let error = await error(target)
        expectEqual(error?.kind, .http)
        expectEqual(error?.body(as: APIError.self), APIError(message: "gone"))
        expectEqual(error?.response?.data, target.sampleData)
        try await expectEqual(provider.response(target).statusCode, 404)
    }

    @Test("the validation of the target takes precedence, and the responses that it refuses have error bodies")
    func ownValidation() async throws {
        let accepted = Stubbed(status: 404, content: "1", validationType: .customCodes([404]))
        try await expectEqual(provider.value(accepted.json(Int.self)), 1)
        let refused = Stubbed(status: 200, content: #"{"message": "x"}"#, validationType: .customCodes([201]))
        await expectEqual(error(refused)?.body(as: APIError.self)?.message, "x")
        let all = MoyaProvider<Stubbed>.stubbed(ResponseDecoding(accepted: .customCodes([])))
        try await expectEqual(all.value(Stubbed(status: 500, content: "2").json(Int.self)), 2)
    }

    @Test(
        "content that is not an error body gives an error with the status code and the response",
        arguments: ["<html>", "", "{}", "[1"])
    func otherContent(_ content: String) async {
        let error = await error(Stubbed(status: 502, content: content, fields: ["Content-Type": "text/html"]))
        guard case .statusCode(let response)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        expectEqual(response.statusCode, 502)
        expectEqual(response.data, Data(content.utf8))
        #expect(error?.body(as: APIError.self) == nil)
    }

    @Test("problem details are decoded by default, with any other type of error body")
    func problemDetails() async {
        let target = Stubbed(
            status: 403,
            content: """
                {"type": 7, "title": "Not enough credit", "status": "403", "detail": null, "instance": "/account/1",
                 "balance": 30, "accounts": ["/account/1"]}
                """, fields: ["Content-Type": "application/problem+json; charset=utf-8"])
        for provider in [provider, .stubbed()] {
            let problem = await error(target, provider)?.body(as: ProblemDetails.self)
            expectEqual(problem?.type, "about:blank")
            expectEqual(problem?.title, "Not enough credit")
            #expect(problem?.status == nil)
            #expect(problem?.detail == nil)
            expectEqual(problem?.instance, "/account/1")
            expectEqual(problem?.extensions, ["balance": 30, "accounts": ["/account/1"]])
        }
        let none = MoyaProvider<Stubbed>.stubbed(ResponseDecoding(errorBody: .none))
        #expect(await error(target, none)?.body(as: ProblemDetails.self) == nil)
    }

    @Test("the status of problem details is ignored in favor of the status code of the response")
    func advisoryStatus() async throws {
        let target = Stubbed(
            status: 400, content: #"{"status": 500}"#, fields: ["Content-Type": "application/problem+json"])
        let error = try #require(await error(target, .stubbed()))
        expectEqual(error.body(as: ProblemDetails.self)?.status, 500)
        expectEqual(error.response?.statusCode, 400)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ProblemDetails.self, from: Data("[]".utf8)) }
    }

    @Test func aFunctionMayReadTheBody() async {
        let provider = MoyaProvider<Stubbed>.stubbed(
            ResponseDecoding(errorBody: ErrorBodyMapping { response, _ in response.headers["X-Reason"] }))
        let target = Stubbed(status: 500, fields: ["X-Reason": "overload"])
        await expectEqual(error(target, provider)?.body(as: String.self), "overload")
        #expect(await error(Stubbed(status: 500), provider)?.underlyingError == nil)
    }

    @Test("a partial response without a requested range is refused, unless the target accepts 206")
    func partialContent() async throws {
        let part = Stubbed(status: 206, content: "1")
        await expectEqual(error(part)?.kind, .http)
        var asked = part
        asked.headers = ["Range": "bytes=0-0"]
        try await expectEqual(provider.value(asked.json(Int.self)), 1)
        var named = part
        named.validationType = .customCodes([206])
        try await expectEqual(provider.value(named.json(Int.self)), 1)
    }

    @Test("no description contains a value of the content")
    func descriptions() async throws {
        struct Secrets: Decodable, Sendable {
            enum Role: String, Decodable, Sendable { case admin }
            let role: Role?
            let small: Int8?
            let users: [String: Int]?
            let date: Date?
        }
        let contents = [
            #"{"role": "s3cret"}"#, #"{"small": 5333}"#, #"{"users": {"s3cret": "s3cret"}}"#, #"{"date": "s3cret"}"#,
            "s3cret", #"{"role": 5333"#, #"["s3cret"]"#,
        ]
        for content in contents {
            let error = try #require(
                await failure { () async throws(MoyaError) in
                    try await provider.value(Stubbed(content: content).json(Secrets.self))
                })
            for text in ["\(error)", error.localizedDescription, String(reflecting: error)] {
                #expect(!text.contains("s3cret") && !text.contains("5333"), "\(text)")
            }
        }
    }

    @Test("a refused response is described with its request and its message, without secrets, and not to users")
    func refusals() async throws {
        let content = #"{"message": "no such user", "password": "s3cret"}"#
        let refused = try #require(await error(Stubbed(status: 500, content: content)))
        expectEqual(refused.body(as: APIError.self)?.message, "no such user")
        let underlying = try #require(refused.underlyingError)
        for text in ["\(refused)", "\(underlying)"] {
            #expect(text.contains("GET http") && text.contains(": status 500: ") && text.contains("no such user"))
            #expect(!text.contains("s3cret"), "\(text)")
        }
        for text in [refused.localizedDescription, underlying.localizedDescription] {
            expectEqual(text, "The server can't answer this request (status 500).")
        }
        let long = try #require(await error(Stubbed(status: 500, content: String(repeating: "a", count: 9000))))
        #expect("\(long)".count < 700)
    }

    @Test("the text of an error body that is a LocalizedError is shown to users")
    func localizedBody() async throws {
        struct Declined: LocalizedError, Decodable, Sendable {
            let message: String
            var errorDescription: String? { message }
        }
        let provider = MoyaProvider<Stubbed>.stubbed(ResponseDecoding(errorBody: .json(Declined.self)))
        let target = Stubbed(status: 402, content: #"{"message": "The card was declined."}"#)
        let error = await failure { () async throws(MoyaError) in
            try await provider.value(target, as: String.self)
        }
        expectEqual(error?.localizedDescription, "The card was declined.")
    }

    @Test("a decoding failure names the path of the value")
    func places() async throws {
        struct Outer: Decodable, Sendable {
            struct Inner: Decodable, Sendable { let id: Int }
            let items: [Inner]
        }
        let target = Stubbed(content: #"{"items": [{"id": 1}, {"id": "x"}]}"#).json(Outer.self)
        let error = await failure { () async throws(MoyaError) in try await provider.value(target) }
        #expect(error?.description.contains("items[1].id") == true, "\(String(describing: error))")
        let missing = Stubbed(content: #"{"items": [{}]}"#).json(Outer.self)
        let other = await failure { () async throws(MoyaError) in try await provider.value(missing) }
        #expect(other?.description.contains(#"missing key "id" at items[0]"#) == true, "\(String(describing: other))")
    }
}
