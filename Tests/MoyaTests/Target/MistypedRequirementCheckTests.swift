import Foundation
import TestSupport
import Testing

@testable import Moya

#if DEBUG
    /// Checks of properties that have the name of a requirement but another type.
    @Suite(.queued, .timeLimit(.minutes(10))) struct MistypedRequirementCheckTests {
        private struct NearMiss: TargetType {
            let baseURL = URL(filePath: "/")
            let path = "/"
            let method = ["POST"]
            let headers = ["X-A=b"]
            let parameters = ["a=b"]
            let sampleData = "text"
            let other = 1
        }

        private struct Sound: TargetType {
            let baseURL = URL(string: "http://a.example") ?? URL(filePath: "/")
            let path = "/"
            let method = HTTPMethod.post
            let headers: [String: String]? = nil
            let parameters: [String: any Sendable]? = nil
            let parameterEncoding: any ParameterEncoding = JSONEncoding.default
            let task = RequestTask.requestPlain
            let sampleData = Data()
            let validationType = ValidationType.none
            let options = RequestOptions()
        }

        private enum Cases: TargetType {
            case task(id: Int), headers(String)
            var baseURL: URL { URL(filePath: "/") }
            var path: String { "/" }
        }

        @Test("the cases of an enum are not checked as properties")
        func cases() {
            let hints = Log()
            DebugHint.observers.append { if $0.hasPrefix("Cases") { hints.add($0) } }
            MoyaProvider<Cases>(stubClosure: MoyaProvider.immediatelyStub).request(.task(id: 1)) { _ in }
            #expect(hints.entries.isEmpty)
        }

        @Test("a mapping to another type than that of the target is reported, and one to its type is not")
        func mappings() {
            struct MismatchedMapping: DecodableTargetType {
                typealias Value = Int
                let path = "/"
                let mapping = ResponseMapping<String>.text
            }
            struct MatchingMapping: DecodableTargetType {
                let path = "/"
                let mapping = ResponseMapping<String>.text
            }
            let hints = Log()
            DebugHint.observers.append {
                if $0.contains("MismatchedMapping") || $0.contains("MatchingMapping") { hints.add($0) }
            }
            let provider = MoyaProvider<MultiTarget>(stubClosure: MoyaProvider.immediatelyStub)
            provider.request(MismatchedMapping()) { _ in }
            provider.request(MatchingMapping()) { _ in }
            expectEqual(hints.entries.count, 1)
            #expect(hints.entries.first?.hasSuffix("Declare it as ResponseMapping<Int>.") == true)
        }

        @Test("a debug build reports each property once, with the type of the requirement")
        func hints() {
            let hints = Log()
            DebugHint.observers.append { if $0.hasPrefix("NearMiss") || $0.hasPrefix("Sound") { hints.add($0) } }
            for _ in 0..<2 {
                MoyaProvider<NearMiss>(stubClosure: MoyaProvider.immediatelyStub).request(NearMiss()) { _ in }
                MoyaProvider<Sound>(stubClosure: MoyaProvider.immediatelyStub).request(Sound()) { _ in }
            }
            expectEqual(
                hints.entries.sorted().map { String($0.split(separator: " and ")[0].prefix { $0 != "," }) },
                [
                    "NearMiss.headers is of type Array<String>", "NearMiss.method is of type Array<String>",
                    "NearMiss.parameters is of type Array<String>",
                    "NearMiss.sampleData is of type String",
                ])
            #expect(hints.entries.contains { $0.hasSuffix("Declare it as Optional<Dictionary<String, String>>.") })
        }
    }
#endif
