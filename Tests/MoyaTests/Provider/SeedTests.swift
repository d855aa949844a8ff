import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples of the first documents of the project, with the current API.
@Suite(.queued, .timeLimit(.minutes(10))) struct SeedTests {
    @Test func anImmediateStubCompletesBeforeRequestReturns() {
        let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub)
        let seen = Box<String?>(nil)
        provider.request(.zen) { result in
            switch result {
            case .success(let response):
                seen.value = "\(response.statusCode) \(String(decoding: response.data, as: UTF8.self))"
            case .failure(let error): seen.value = "\(error)"
            }
        }
        expectEqual(seen.value, "200 Half measures are as bad as nothing at all.")
    }

    @Test func aResponseIsFilteredAndMapped() {
        let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub)
        let mapped = Box<JSONValue?>(nil)
        provider.request(.showUser(id: 7)) { result in
            mapped.value = try? result.get().filterSuccessfulStatusCodes().mapJSON()
        }
        expectEqual(mapped.value?["id"]?.int, 7)
    }

    @Test func thePOSTsParametersGoIntoTheBody() throws {
        let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub)
        let request = try provider.endpoint(.createUser(firstName: "James", lastName: "Potter")).urlRequest()
        expectEqual(request.httpMethod, "POST")
        expectEqual(request.httpBody, Data("first_name=James&last_name=Potter".utf8))
    }

    @Test func aStubbedNetworkErrorArrivesAsAFailure() {
        let provider = MoyaProvider<MyService>(
            endpointClosure: { target in
                Endpoint(
                    url: "https://api.myservice.example/zen",
                    sampleResponseClosure: { .networkError(URLError(.timedOut)) },
                    method: target.method, task: target.task, httpHeaderFields: target.headers)
            },
            stubClosure: MoyaProvider.immediatelyStub)
        let kind = Box<MoyaError.Kind?>(nil)
        provider.request(.zen) { if case .failure(let error) = $0 { kind.value = error.kind } }
        expectEqual(kind.value, .timeout)
    }

    @Test func endpointClosureExtendsTheDefaultAndRequestClosureHasTheLastWord() {
        let requestSeen = Box<URLRequest?>(nil)
        let provider = MoyaProvider<MyService>(
            endpointClosure: { target in
                let endpoint = MoyaProvider<MyService>.defaultEndpointMapping(for: target)
                return switch target {
                case .zen: endpoint
                default:
                    endpoint.adding(newHTTPHeaderFields: ["AUTHENTICATION_TOKEN": "secret"])
                        .adding(newParameters: ["locale": "en"])
                }
            },
            requestClosure: { endpoint, done in
                do throws(MoyaError) {
                    var request = try endpoint.urlRequest()
                    request.setValue("signed", forHTTPHeaderField: "X-Signature")
                    requestSeen.value = request
                    done(.success(request))
                } catch {
                    done(.failure(error))
                }
            },
            stubClosure: MoyaProvider.immediatelyStub)
        provider.request(.showUser(id: 1)) { _ in }
        expectEqual(requestSeen.value?.value(forHTTPHeaderField: "AUTHENTICATION_TOKEN"), "secret")
        expectEqual(requestSeen.value?.value(forHTTPHeaderField: "X-Signature"), "signed")
        expectEqual(requestSeen.value?.url?.query, "locale=en")
    }
}
