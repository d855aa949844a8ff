import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct ResponseMappingTests {
    private struct Item: Decodable, Sendable, Equatable {
        var name: String?
    }

    private let provider = MoyaProvider<Stubbed>.stubbed()

    @Test(
        "without content, Void succeeds, an optional is nil, and any other type is a failure of the kind `decoding`",
        arguments: [(204, Moya.Method.get), (205, .get), (304, .get), (200, .head), (200, .get)])
    func withoutContent(_ status: Int, _ method: Moya.Method) async throws {
        let target = Stubbed(status: status, method: method, validationType: .successAndRedirectCodes)
        try await provider.value(TypedTarget(target, .none))
        #expect(try await provider.value(target.json(Item?.self)) == nil)
        try await expectEqual(provider.value(target.json(JSONValue.self)), .null)
        let item = await failure { () async throws(MoyaError) in try await provider.value(target.json(Item.self)) }
        let list = await failure { () async throws(MoyaError) in try await provider.value(target.json([Item].self)) }
        for error in [item, list] {
            if case .objectMapping? = error {} else { Issue.record("\(String(describing: error))") }
            expectEqual(error?.response?.statusCode, status)
        }
    }

    @Test func noneIgnoresTheContent() async throws {
        try await provider.value(TypedTarget(Stubbed(content: "<html>"), .none))
    }

    @Test("the media type is ignored, a byte order mark is skipped, and UTF-16 is refused")
    func encodings() async throws {
        let fields = ["Content-Type": "application/vnd.api+json;charset=utf-8"]
        try await expectEqual(
            provider.value(Stubbed(content: #"{"name": "Ash"}"#, fields: fields).json(Item.self)).name, "Ash")
        try await expectEqual(
            provider.value(Stubbed(content: "\u{feff}{\"name\": \"Ash\"}").json(Item.self)).name, "Ash")
        for encoding in [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian, .utf32] {
            let data = try #require(#"{"name": "Ash"}"#.data(using: encoding))
            let mapping = ResponseMapping<Item>.json()
            let error = #expect(throws: MoyaError.self) {
                try mapping.value(of: Response(statusCode: 200, data: data))
            }
            expectEqual(error?.kind, .decoding)
            #expect(error?.description.contains("UTF-8") == true)
        }
    }

    @Test("a key path leads through objects, to null, and to names with a dot, and not through arrays")
    func keyPaths() async throws {
        let target = Stubbed(
            content: #"{"user_info": {"first_name": "Ash", "none": null}, "a.b": {"c": 1}, "list": [{"name": "x"}]}"#)
        let snake = MoyaProvider<Stubbed>.stubbed(ResponseDecoding { $0.keyDecodingStrategy = .convertFromSnakeCase })
        for path in ["user_info.first_name", "userInfo.firstName"] {
            try await expectEqual(snake.value(target.json(String.self, at: path)), "Ash")
        }
        #expect(try await provider.value(target.json(Item?.self, at: "user_info.none")) == nil)
        try await expectEqual(provider.value(target.json(Int.self, at: #"a\.b.c"#)), 1)
        try await expectEqual(snake.value(target.json(Int.self, at: #"a\.b.c"#)), 1)
        for path in ["list.0.name", "list.name", "user_info.last_name", "a.b.c", #"a\.b\.c"#, #"\"#, #"\."#, "."] {
            let error = await failure { () async throws(MoyaError) in
                try await provider.value(target.json(String.self, at: path))
            }
            expectEqual(error?.kind, .decoding, "\(path)")
        }
    }

    @Test("numbers keep their digits; of several members with one name, one is decoded")
    func numbers() async throws {
        struct Numbers: Decodable, Sendable {
            let decimal: Decimal
            let large: UInt64
            let twice: Int
        }
        let target = Stubbed(
            content: #"{"decimal": 0.12345678901234567890123, "large": 18446744073709551615, "twice": 1, "twice": 2}"#)
        let numbers = try await provider.value(target.json(Numbers.self))
        expectEqual(numbers.decimal, Decimal(string: "0.12345678901234567890123"))
        expectEqual(numbers.large, .max)
        expectEqual(numbers.twice, 1)
    }

    @Test func textAndDataAreTakenAsTheyAre() async throws {
        let target = Stubbed(content: "\"Ash\"")
        try await expectEqual(provider.value(TypedTarget<Stubbed, String>(target)), "\"Ash\"")
        try await expectEqual(provider.value(TypedTarget<Stubbed, Data>(target)), Data("\"Ash\"".utf8))
        try await expectEqual(provider.value(TypedTarget<Stubbed, String>(target, .json())), "Ash")
        try await expectEqual(provider.value(TypedTarget<Stubbed, Response>(target)).data.count, 5)
    }

    @Test("`map` transforms a value; an error that it throws is of the kind `decoding`, except a MoyaError")
    func map() async throws {
        let count = TypedTarget(Stubbed(content: "abc"), ResponseMapping.text.map(\.count))
        try await expectEqual(provider.value(count), 3)
        let failing = TypedTarget(Stubbed(), ResponseMapping.text.map { _ -> Int in throw Failure(id: 1) })
        let error = await failure { () async throws(MoyaError) in try await provider.value(failing) }
        expectEqual(error?.underlyingError as? Failure, Failure(id: 1))
        expectEqual(error?.kind, .decoding)
        let own = TypedTarget(Stubbed(), ResponseMapping<Int> { _, _ in throw MoyaError.requestMapping("x") })
        await expectEqual(failure { () async throws(MoyaError) in try await provider.value(own) }?.kind, .request)
    }

    @Test("the Accept field is that of the target, otherwise that of the mapping, otherwise none")
    func accept() async throws {
        let log = Log()
        let observer = SentHeaders(log: log)
        let provider = MoyaProvider<Stubbed>.stubbed(plugins: [observer])
        _ = try await provider.value(Stubbed(content: "{}").json(Item.self))
        _ = try await provider.value(
            Stubbed(content: "{}", headers: ["accept": "application/vnd.github+json"]).json(Item.self))
        _ = try await provider.value(TypedTarget(Stubbed(), .text))
        _ = try await provider.value(TypedTarget(Stubbed(), ResponseMapping(accept: "text/csv") { _, _ in 1 }))
        expectEqual(log.entries, ["application/json", "application/vnd.github+json", "none", "text/csv"])
    }

    private struct SentHeaders: PluginType {
        let log: Log

        func willSend(_ request: RequestType, target: any RelativeTarget) {
            log.add(request.request?.value(forHTTPHeaderField: "Accept") ?? "none")
        }
    }

    @Test("a mapping that is stored in a struct target is not sent as a parameter")
    func reflectiveParameters() {
        struct Typed: DecodableTargetType, ReflectiveParameters {
            let path = "/"
            let mapping = ResponseMapping<Int>.json(at: "n")
            let page = 2
        }
        struct Untyped: RelativeTarget, ReflectiveParameters {
            let path = "/"
            let mapping = "linear"
        }
        expectEqual(Typed().parameters?.keys.sorted(), ["page"])
        expectEqual(Untyped().parameters?.keys.sorted(), ["mapping"])
    }
}
