import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MoyaErrorTests {
    private static let response = Response(statusCode: 400, data: Data())
    private static let all: [(MoyaError, MoyaError.Kind, Bool, Bool)] = [
        (.imageMapping(response), .decoding, true, false), (.jsonMapping(response), .decoding, true, false),
        (.stringMapping(response), .decoding, true, false),
        (.objectMapping(Failure(), response), .decoding, true, true),
        (.encodableMapping(Failure()), .request, false, true), (.statusCode(response), .http, true, false),
        (.underlying(Failure(), response), .other, true, true), (.requestMapping("x"), .request, false, false),
        (.parameterEncoding(Failure()), .request, false, true),
    ]

    @Test("the text of an error of another domain is its own")
    func describesOtherDomains() {
        let error = MoyaError.underlying(NSError(domain: "com.shop.auth", code: 260), nil)
        #expect(error.description.contains("com.shop.auth"), "\(error)")
        let full = MoyaError.underlying(NSError(domain: NSPOSIXErrorDomain, code: Int(ENOSPC)), nil)
        #expect(full.description.contains("No space left on device"), "\(full)")
    }

    @Test("the text of an app's error is its own, or the name of its type and case, without its values")
    func describesErrorsOfApps() async {
        enum Limit: Error {
            case open(secret: String)
            case closed
        }
        struct Plain: Error { let secret = "hidden" }
        struct Described: Error, CustomStringConvertible { let description = "no space on /data" }
        struct Localized: LocalizedError { let errorDescription: String? = "The circuit is open." }
        let errors: [any Error] = [
            Limit.open(secret: "hidden"), Limit.closed, Plain(), Described(), Localized(),
        ]
        let texts = errors.map { MoyaError.underlying($0, nil).description }
        expectEqual(texts, ["Limit.open", "Limit.closed", "Plain", "no space on /data", "The circuit is open."])
        // The runtime boxes an error that a continuation throws.
        let foreign = NSError(domain: "D", code: 5, userInfo: ["token": "hidden"])
        for (error, text) in zip(errors + [foreign], texts + ["5"]) {
            do {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    continuation.resume(throwing: error)
                }
            } catch {
                let found = MoyaError.underlying(error, nil).description
                #expect(text == "5" ? !found.contains("hidden") : found == text, "\(found)")
            }
        }
    }

    @Test("values that are printed show no secret of a URL")
    func printedValues() throws {
        let url = "https://ann:hidden1@a.example/b?token=hidden2"
        let request = try TransportRequest(method: .get, url: #require(URL(string: url)))
        expectEqual("\(request)", "GET https://a.example/b?token=***")
        expectEqual("\(Endpoint(url: url, sampleResponseClosure: { .networkResponse(200, Data()) }))", "\(request)")
        let proxy = try #require(URL(string: "http://ann:hidden@proxy.example:3128"))
        expectEqual("\(ProxyPolicy.proxy(proxy, except: ["b"]))", #"proxy http://proxy.example:3128 except ["b"]"#)
    }

    @Test("each case has its kind, response, underlying error and description", arguments: 0..<9)
    func cases(_ index: Int) {
        let (error, kind, hasResponse, hasUnderlying) = Self.all[index]
        expectEqual(error.kind, kind)
        expectEqual(error.response != nil, hasResponse)
        expectEqual(error.underlyingError != nil, hasUnderlying)
        expectEqual(error.errorUserInfo[NSLocalizedDescriptionKey] as? String, error.errorDescription)
        expectEqual(error.errorUserInfo[NSUnderlyingErrorKey] != nil, hasUnderlying)
        #expect(error.errorDescription?.isEmpty == false)
    }

    @Test("the description of an error without a response names the request, without secrets")
    func request() async throws {
        let server = try LoopbackServer { _ in .text("") }
        server.stop()
        struct Login: TargetType {
            let baseURL: URL
            let path = "/login"
            let parameters: [String: any Sendable]? = ["user": "ann", "password": "hidden1"]
        }
        let target = Login(baseURL: server.url)
        let error = await #expect(throws: MoyaError.self) { try await MoyaProvider<Login>().response(target) }
        let text = try #require(error?.description)
        #expect(text.hasPrefix("GET \(server.url.appending(path: "login").absoluteString)?"))
        #expect(text.contains("user=ann") && !text.contains("hidden1"))
        #expect(text.contains(": connecting to 127.0.0.1:"))
    }

    @Test("the description of an error names the request, too, if a part of the response has arrived")
    func requestOfPartialResponse() async throws {
        let server = try LoopbackServer { _ in .truncated(Data("some content".utf8), by: 3) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>()
        let error = await #expect(throws: MoyaError.self) { try await provider.response(Local(server, "/part")) }
        expectEqual(error?.response?.statusCode, 200)
        #expect(error?.description.hasPrefix("GET \(server.url.appending(path: "part").absoluteString): ") == true)
    }

    @Test("an empty body is called empty, and a stub that takes time has it in virtual time")
    func emptyBody() throws {
        let time = VirtualTime()
        let provider = MoyaProvider<MyService>.stubbed(after: .seconds(60), on: time) { _ in .status(200) }
        let error = #expect(throws: MoyaError.self) { try time.run { try await provider.response(.zen).map(Int.self) } }
        expectEqual(time.elapsed, .seconds(60))
        #expect(error?.description.hasSuffix("status 200: the response body is empty") == true)
        #expect(error?.recoverySuggestion?.contains("sampleData") == true)
    }

    @Test("the remedy of a text of the package is the recovery suggestion, of a foreign error its own")
    func remedies() {
        struct Foreign: LocalizedError {
            let errorDescription: String? = "It failed. Of no use"
            let recoverySuggestion: String? = "Foreign"
        }
        let parameter = #expect(throws: (any Error).self) {
            try JSONEncoding.default.encode(URLRequest(url: URL(filePath: "/")), with: ["a": Foreign()])
        }
        #expect(parameter.map { MoyaError.parameterEncoding($0).recoverySuggestion?.hasPrefix("Use a string") } == true)
        let field = #expect(throws: TransportError.self) {
            try TransportRequest(method: .get, url: #require(URL(string: "http://a.example")), headers: ["a b": "c"])
        }
        #expect(field?.recoverySuggestion?.hasPrefix("Use ") == true)
        expectEqual(MoyaError.underlying(Foreign(), nil).recoverySuggestion, "Foreign")
        #expect(MoyaError.underlying(URLError(.timedOut), nil).recoverySuggestion == nil)
        #expect(MoyaError.requestMapping("version 1.2 of a.b").recoverySuggestion == nil)
    }

    @Test(
        "the error codes of the system are mapped to kinds",
        arguments: [
            (.cancelled, .cancelled), (.timedOut, .timeout), (.notConnectedToInternet, .offline),
            (.cannotFindHost, .unreachable), (.cannotConnectToHost, .unreachable),
            (.networkConnectionLost, .connectionLost),
            (.secureConnectionFailed, .tls), (.serverCertificateUntrusted, .tls), (.badServerResponse, .badResponse),
            (.cannotDecodeContentData, .badResponse), (.badURL, .request), (.unknown, .other),
        ] as [(URLError.Code, MoyaError.Kind)])
    func kinds(_ code: URLError.Code, _ kind: MoyaError.Kind) {
        expectEqual(MoyaError.underlying(URLError(code), nil).kind, kind)
        expectEqual(MoyaError.underlying(MoyaError.underlying(URLError(code), nil), nil).kind, kind)
        // As code from before Swift's errors writes it, in stubs.
        expectEqual(MoyaError.underlying(NSError(domain: NSURLErrorDomain, code: code.rawValue), nil).kind, kind)
    }

    static let codes: [(URLError.Code, MoyaError.Kind, String)] = [
        (.cancelled, .cancelled, "The request was cancelled."),
        (.userCancelledAuthentication, .cancelled, "The request was cancelled."),
        (.timedOut, .timeout, "The request timed out."),
        (.notConnectedToInternet, .offline, "There is no network connection."),
        (.cannotFindHost, .unreachable, "The name of the server could not be resolved."),
        (.dnsLookupFailed, .unreachable, "The name of the server could not be resolved."),
        (.cannotConnectToHost, .unreachable, "No connection to the server could be made."),
        (.networkConnectionLost, .connectionLost, "The connection was lost before the response was complete."),
        (.secureConnectionFailed, .tls, "No secure connection to the server could be made."),
        (.serverCertificateUntrusted, .tls, "The certificate of the server is not trusted."),
        (.serverCertificateHasBadDate, .tls, "The certificate of the server is not trusted."),
        (.clientCertificateRequired, .tls, "The server wants another client certificate."),
        (.badServerResponse, .badResponse, "The response is not valid HTTP."),
        (.cannotDecodeContentData, .badResponse, "The content of the response could not be decompressed."),
        (.dataLengthExceedsMaximum, .badResponse, "The response is too large."),
        (.httpTooManyRedirects, .badResponse, "The server redirected too often."),
        (.badURL, .request, "The URL of the request is not supported."),
        (.requestBodyStreamExhausted, .request, "The content of the request could not be read."),
        (.fileDoesNotExist, .request, "The file to send does not exist."),
        (.fileIsDirectory, .request, "The file to send is a directory, or not a regular file."),
        (.noPermissionsToReadFile, .request, "The file to send may not be read."),
    ]

    @Test("each error code has its kind and its text, on every platform", arguments: codes.indices)
    func texts(_ index: Int) {
        let (code, kind, text) = Self.codes[index]
        let error = MoyaError.underlying(URLError(code), nil)
        expectEqual(error.kind, kind)
        expectEqual(error.description, text)
        expectEqual(error.localizedDescription, MoyaError.underlying(error, nil).localizedDescription)
        #expect(error.errorDescription?.hasSuffix(".") == true)
        expectEqual(MoyaError.underlying(error, nil).description, text)
        let own = URLError(code, userInfo: [NSLocalizedDescriptionKey: "in other words"])
        expectEqual(MoyaError.underlying(own, nil).description, "in other words")
    }

    @Test func aCancelledTaskIsACancelledRequest() {
        expectEqual(MoyaError.underlying(CancellationError(), nil).description, "The request was cancelled.")
        expectEqual(MoyaError.underlying(CancellationError(), nil).kind, .cancelled)
    }

    @Test("an error contains no value of the request: of its body, the user of a URL, or the query of a path")
    func requestValues() throws {
        struct Refused: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue("hidden1", .init(codingPath: [], debugDescription: "not now"))
            }
        }
        var errors: [any Error] = []
        do { _ = try JSONEncoder().encode(Refused()) } catch { errors.append(MoyaError.encodableMapping(error)) }
        for url in ["ftp://u:hidden1@h.example/a", "https://u:hidden1@/x", "u:hidden1@h.example/x"] {
            let endpoint = Endpoint(url: url, sampleResponseClosure: { .status(200) })
            do { _ = try endpoint.urlRequest() } catch { errors.append(error) }
        }
        struct Search: TargetType {
            let baseURL = URL(string: "https://a.example") ?? URL(filePath: "/")
            let path: String
            let options = RequestOptions(pathMode: .allowingQuery)
        }
        let endpoint = MoyaProvider<Search>.defaultEndpointMapping(for: Search(path: "/a/../b?token=hidden1"))
        do { _ = try endpoint.urlRequest() } catch { errors.append(error) }
        expectEqual(errors.count, 5)
        for error in errors { #expect(!"\(error)".contains("hidden1"), "\(error)") }
        #expect(errors.first.map { "\($0)".contains("the String at the top level: not now") } == true)
    }

    @Test("valid JSON without a value at a key path is not called invalid")
    func missingKeyPath() {
        let response = Response(statusCode: 200, data: Data(#"{"a": 1}"#.utf8))
        let missing = #expect(throws: MoyaError.self) { try response.map(Int.self, atKeyPath: "b") }
        let number = #expect(throws: MoyaError.self) { try response.mapString(atKeyPath: "a") }
        for error in [missing, number] {
            #expect(error?.description.hasSuffix("the response body does not have the expected value") == true)
        }
        let unknown = Response(
            statusCode: 200, data: response.data, headers: ["Content-Type": "text/x; charset=x-unknown"])
        let text = #expect(throws: MoyaError.self) { try unknown.mapString() }
        #expect(text?.description.hasSuffix("is not text in the expected encoding") == true)
    }

    @Test("a pattern may name the kind of an error")
    func kindsInPatterns() async {
        let provider = MoyaProvider<Page>.stubbed { _ in .networkError(URLError(.timedOut)) }
        do throws(MoyaError) {
            _ = try await provider.response(Page())
            Issue.record("no error")
        } catch .cancelled {
            Issue.record("not cancelled")
        } catch .timeout {
        } catch {
            Issue.record("another kind")
        }
    }

    @Test("the pattern `MoyaError.cancelled` matches each error of a cancelled request, and no other")
    func cancelledInPatterns() {
        let errors: [any Error] = [
            MoyaError.cancelled, MoyaError.underlying(CancellationError(), nil),
            MoyaError.underlying(URLError(.timedOut), nil), CancellationError(),
        ]
        let matches = errors.map { if case MoyaError.cancelled = $0 { true } else { false } }
        expectEqual(matches, [true, true, false, false])
    }

    @Test("a text names the key path of the caller, which is no content of the response")
    func namesTheKeyPath() {
        struct User: Decodable { let id: Int }
        let response = Response(statusCode: 200, data: Data(#"{"data":{"user":{"id":"x"}}}"#.utf8))
        let error = #expect(throws: MoyaError.self) { try response.map(User.self, atKeyPath: "data.user") }
        #expect(error?.description.hasSuffix("expected Int at data.user.id") == true)
    }
}
