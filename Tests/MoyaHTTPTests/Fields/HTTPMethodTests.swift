import Moya
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct HTTPMethodTests {
    @Test func anyTokenIsAMethod() {
        let query: Moya.Method = "QUERY"
        expectEqual(query.rawValue, "QUERY")
        #expect(query != HTTPMethod(rawValue: "query"))
    }

    @Test("RFC 9110, 9.2: safe methods, PUT and DELETE are idempotent")
    func safety() {
        let safe: [HTTPMethod] = [.get, .head, .options, .trace]
        let all: [HTTPMethod] = safe + [.put, .delete, .post, .patch, .connect]
        expectEqual(all.filter(\.isSafe), safe)
        expectEqual(all.filter(\.isIdempotent), safe + [.put, .delete])
    }
}
