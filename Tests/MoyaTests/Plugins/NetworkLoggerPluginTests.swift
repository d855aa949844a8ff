import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct NetworkLoggerPluginTests {
    enum Login: TargetType, Equatable {
        case zen
        case login(user: String, password: String)

        var baseURL: URL { URL(string: "https://a.example/v1") ?? URL(filePath: "/") }
        var path: String { "/login" }
        var method: Moya.Method { self == .zen ? .get : .post }
        var headers: [String: String]? { ["Accept": "text/plain", "Authorization": "Bearer hunter2", "X-App": "Moya"] }
        var task: RequestTask {
            switch self {
            case .zen: .requestParameters(parameters: ["page": 1, "token": "hunter2"], encoding: URLEncoding.default)
            case .login(let user, let password): .requestJSONEncodable(["user": user, "password": password])
            }
        }
        var sampleData: Data { Data(#"{"session_token": "hunter2", "name": "Ash", "age": 10, "ok": true}"#.utf8) }
    }

    private let log = Log()

    private func configuration(
        _ options: NetworkLoggerPlugin.LogOptions = .default, redaction: Redaction = .all, length: Int = 4096
    ) -> NetworkLoggerPlugin.Configuration {
        NetworkLoggerPlugin.Configuration(
            formatter: .init(entry: { identifier, message, _ in "\(identifier): \(message)" }),
            output: { [log] _, items in for item in items { log.add(item.replacing(/#\d+ | in \d+ ms/, with: "")) } },
            logOptions: options, redaction: redaction, maximumBodyLength: length)
    }

    private func run(
        _ target: Login = .zen, _ configuration: NetworkLoggerPlugin.Configuration,
        sample: EndpointSampleResponse? = nil, validation: Bool = false
    ) -> [String] {
        let provider = MoyaProvider<Login>(
            endpointClosure: { target in
                let endpoint = MoyaProvider<Login>.defaultEndpointMapping(for: target)
                guard let sample else { return endpoint }
                return Endpoint(
                    url: endpoint.url, sampleResponseClosure: { sample }, method: endpoint.method, task: endpoint.task,
                    httpHeaderFields: endpoint.httpHeaderFields)
            }, stubClosure: MoyaProvider.immediatelyStub,
            plugins: [NetworkLoggerPlugin(configuration: configuration)], defaultHeaders: [:])
        provider.request(target) { _ in }
        return log.entries
    }

    @Test(
        "by default, the log has the URL, non-sensitive header fields, the method, and the status line of the response")
    func standard() {
        #expect(
            run(configuration()) == [
                "Request: https://a.example/v1/login?page=***&token=***",
                "Request Headers: [Accept: text/plain, Authorization: ***, X-App: ***]", "HTTP Request Method: GET",
                "Response: 200 https://a.example/v1/login?page=***&token=*** []",
            ])
    }

    private func run(_ configuration: NetworkLoggerPlugin.Configuration) -> [String] { run(.zen, configuration) }

    @Test("with only secret names hidden, everything else is logged")
    func secretNames() {
        #expect(
            run(.login(user: "ash", password: "hunter2"), configuration(.verbose, redaction: .secretNames)) == [
                "Request: https://a.example/v1/login",
                "Request Headers: [Accept: text/plain, Authorization: ***, Content-Type: application/json, X-App: Moya]",
                #"Request Body: {"password":"***","user":"ash"}"#, "HTTP Request Method: POST",
                "Response: 200 https://a.example/v1/login []",
                #"Response Body: {"age":10,"name":"Ash","ok":true,"session_token":"***"}"#,
            ])
    }

    @Test("values that a target or a configuration declares secret are hidden; values declared non-sensitive are shown")
    func ownNames() {
        let more = configuration(.verbose, redaction: .secretNames(and: ["x-app", "NAME"]))
        let lines = run(.zen, more)
        #expect(lines.contains("Request Headers: [Accept: text/plain, Authorization: ***, X-App: ***]"))
        #expect(lines.last == #"Response Body: {"age":10,"name":"***","ok":true,"session_token":"***"}"#)
        let shown = NetworkLoggerPluginTests()
        let headers = shown.run(.zen, shown.configuration(redaction: .all(butHeaders: ["x-app"])))
        #expect(headers.contains("Request Headers: [Accept: text/plain, Authorization: ***, X-App: Moya]"))
    }

    @Test func nothingIsHiddenWhenThatIsAskedFor() {
        let lines = run(.login(user: "ash", password: "hunter2"), configuration(.verbose, redaction: .nothing))
        #expect(lines.contains { $0.contains("Authorization: Bearer hunter2") })
        #expect(lines.contains { $0.contains(#""password":"hunter2""#) })
    }

    @Test("a target is named by its type and case, an error by its kind")
    func namesAlone() {
        let failed = run(
            .login(user: "ash", password: "hunter2"), configuration(),
            sample: .networkError(URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "hunter2"])))
        #expect(failed.last == "Error: Login.login: timeout (-1001)")
        let empty = NetworkLoggerPluginTests()
        let lines = empty.run(.zen, empty.configuration(), sample: .networkResponse(200, Data()))
        #expect(lines.last == "Response: 200 https://a.example/v1/login?page=***&token=*** []")
        let plugin = NetworkLoggerPlugin(configuration: empty.configuration(.verbose))
        let broken = Response(statusCode: 200, data: Data(#"{"n": "hunter2"}"#.utf8))
        let error = #expect(throws: MoyaError.self) { try broken.map([String: Int].self) }
        plugin.didReceive(.failure(error ?? .requestMapping("")), target: Login.zen)
        #expect(empty.log.entries.suffix(2) == ["Response Body: {\"n\":\"***\"}", "Error: Login.zen: decoding at *"])
    }

    @Test("a decoding error is logged with the declared keys, not with those of a dictionary, which may be secret")
    func keysOfDictionaries() throws {
        struct Page: Decodable { var tokens: [String: [Int]] }
        let response = Response(statusCode: 200, data: Data(#"{"tokens": {"hunter2": [1, "x"]}}"#.utf8))
        let error = try #require(#expect(throws: MoyaError.self) { try response.map(Page.self) })
        NetworkLoggerPlugin(configuration: configuration()).didReceive(.failure(error), target: Login.zen)
        #expect(log.entries.last == "Error: Login.zen: decoding at tokens.*[1]")
    }

    @Test("the body of an error is shown if it is configured")
    func errorBody() {
        let response = Response(statusCode: 500, data: Data("oops".utf8), headers: ["Content-Type": "text/plain"])
        let plugin = NetworkLoggerPlugin(configuration: configuration(.errorResponseBody, redaction: .nothing))
        plugin.didReceive(.failure(.statusCode(response)), target: Login.zen)
        plugin.didReceive(.success(response), target: Login.zen)
        #expect(
            log.entries == [
                "Response: 500 [Content-Type: text/plain]", "Response Body: oops", "Error: Login.zen: http 500",
                "Response: 500 [Content-Type: text/plain]",
            ])
    }

    @Test("long and binary bodies are described, not logged")
    func bodies() {
        let plugin = NetworkLoggerPlugin(configuration: configuration(.verbose, redaction: .nothing, length: 5))
        func body(_ data: Data, _ type: String) -> String? {
            plugin.didReceive(
                .success(Response(statusCode: 200, data: data, headers: ["Content-Type": type])), target: Login.zen)
            return log.entries.last
        }
        #expect(body(Data("0123456789".utf8), "text/plain") == "Response Body: 01234… <10 bytes of text/plain>")
        #expect(body(Data([0xff, 0xfe, 0]), "image/png") == "Response Body: <3 bytes of image/png>")
        #expect(body(Data(count: 2 << 20), "text/plain") == "Response Body: <2097152 bytes of text/plain>")
        let hiding = NetworkLoggerPlugin(configuration: configuration(.verbose))
        let secret = Response(
            statusCode: 200, data: Data("hunter2".utf8), headers: ["Content-Type": "text/plain; charset=utf-8"])
        hiding.didReceive(.success(secret), target: Login.zen)
        #expect(log.entries.last == "Response Body: <7 bytes of text/plain>")
    }

    @Test("deeply nested JSON does not crash", arguments: [1, 100, 511, 100_000])
    func deepJSON(_ depth: Int) {
        let text = String(repeating: "[", count: depth) + "\"hunter2\"" + String(repeating: "]", count: depth)
        let plugin = NetworkLoggerPlugin(configuration: configuration(.verbose))
        let json = Response(statusCode: 200, data: Data(text.utf8), headers: ["Content-Type": "application/json"])
        plugin.didReceive(.success(json), target: Login.zen)
        #expect(log.entries.last?.contains("hunter2") == false)
    }

    @Test("control characters from a server cannot imitate lines or control a terminal")
    func controls() {
        let response = Response(
            statusCode: 200, data: Data("a\u{1b}[31mb".utf8),
            headers: ["Server": "x\r\u{7}y", "Content-Type": "text/plain"])
        let plugin = NetworkLoggerPlugin(configuration: configuration(.verbose, redaction: .nothing))
        plugin.didReceive(.success(response), target: Login.zen)
        #expect(
            log.entries == [
                #"Response: 200 [Server: x\u{d}\u{7}y, Content-Type: text/plain]"#, #"Response Body: a\u{1b}[31mb"#,
            ])
    }

    @Test("a formatter formats the lines and the redacted bodies")
    func formatter() {
        var own = configuration(.verbose, redaction: .secretNames)
        own.formatter = .init(
            entry: { identifier, message, target in "\(target.path) \(identifier) \(message)" },
            requestData: { "<\(String(decoding: $0, as: UTF8.self))>" },
            responseData: { String(decoding: $0, as: UTF8.self).uppercased() })
        let lines = run(.login(user: "ash", password: "hunter2"), own)
        #expect(lines.contains(#"/login Request Body <{"password":"***","user":"ash"}>"#))
        #expect(lines.last == #"/login Response Body {"AGE":10,"NAME":"ASH","OK":TRUE,"SESSION_TOKEN":"***"}"#)
    }

    @Test func aRequestThatIsNoneIsSaidToBeInvalid() {
        let lines = NetworkLoggerPlugin.Formatter.defaultEntry(identifier: "A", message: "b", target: Login.zen)
        #expect(lines.hasPrefix("Moya_Logger: [") && lines.hasSuffix("] A: b"))
    }

    // MARK: cURL

    private func command(_ target: Login, _ redaction: Redaction) -> String {
        let fresh = NetworkLoggerPluginTests()
        return fresh.run(target, fresh.configuration(.formatRequestAscURL, redaction: redaction)).first ?? ""
    }

    @Test("the curl command is a separate entry, with redacted secrets")
    func curl() {
        #expect(
            command(.login(user: "ash", password: "hunter2"), .secretNames) == #"""
                Request: curl -v -X 'POST' \
                    -H 'Accept: text/plain' \
                    -H 'Authorization: ***' \
                    -H 'Content-Type: application/json' \
                    -H 'X-App: Moya' \
                    --data-raw '{"password":"***","user":"ash"}' \
                    'https://a.example/v1/login'
                """#)
        #expect(command(.zen, .all).contains("'https://a.example/v1/login?page=***&token=***'"))
    }

    @Test(
        "a shell decodes the command to the sent bytes",
        arguments: [
            "it's", "$(touch /tmp/x)", "`id`", "!history", "a\\b\"c", "@/etc/passwd", "a\nb", "é漢", "-H x",
            "; rm -rf /", "x'\u{301}; echo PWNED; '\u{301}",
        ])
    func shell(_ text: String) async throws {
        let command = command(.login(user: text, password: text), .nothing)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        let script =
            "curl() { for a in \"$@\"; do printf '%s\\0' \"$a\"; done; }\n" + command.dropFirst("Request: ".count)
        shell.arguments = ["-c", script]
        let pipe = Pipe()
        shell.standardOutput = pipe
        try await waitForFewDescriptors()
        try shell.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        shell.waitUntilExit()
        let arguments = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let body = try #require(arguments.firstIndex(of: "--data-raw").map { arguments[$0 + 1] })
        let sent = try JSONDecoder().decode([String: String].self, from: Data(body.utf8))
        #expect(sent == ["user": text, "password": text])
        #expect(arguments.last == "https://a.example/v1/login")
    }

    // MARK: Nothing leaks

    @Test("random secrets in headers, query, body and target never appear in any line")
    func neverLeaks() {
        struct Secretive: TargetType, CustomStringConvertible {
            var baseURL: URL
            var path = "/p"
            var method: Moya.Method
            var task: RequestTask
            var headers: [String: String]?
            var secret: String
            var sampleData: Data
            var validationType: ValidationType
            var description: String { secret }
        }
        var generator = SeededGenerator(seed: 11)
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEF0123456789+/=-_ .,;:'\"\\&?#%é")
        func text(_ length: Int) -> String {
            "s3c" + String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
        }
        let names = ["q", "name", "token", "api_key", "X-Thing", "deep.er", "[a]"]
        for round in 0..<400 {
            let secret = text(Int.random(in: 8...30, using: &generator))
            let name = names.randomElement(using: &generator) ?? ""
            let parameters: [String: any Sendable] = [
                name: secret, "list": [secret, ["in": secret]] as [any Sendable],
            ]
            let tasks: [RequestTask] = [
                .requestParameters(parameters: parameters, encoding: URLEncoding.default),
                .requestParameters(parameters: parameters, encoding: JSONEncoding.prettyPrinted),
                .requestParameters(parameters: parameters, encoding: PropertyListEncoding.xml),
                .requestData(Data(secret.utf8)), .requestJSONEncodable(secret), .requestJSONEncodable([secret]),
                .requestCompositeData(bodyData: Data(secret.utf8), urlParameters: parameters),
                .uploadMultipartFormData([MultipartFormBodyPart(provider: .data(Data(secret.utf8)), name: "n")]),
            ]
            let value = secret.unicodeScalars.filter(\.isASCII).reduce(into: "") { $0.unicodeScalars.append($1) }
            let target = Secretive(
                baseURL: URL(string: "https://user:s3cretpassword@a.example/?k=s3cretquery#s3cretfragment")
                    ?? URL(filePath: "/"),
                method: [.get, .post, .put].randomElement(using: &generator) ?? .get,
                task: tasks[round % tasks.count],
                headers: ["X-\(round)": value, "Authorization": value, "Cookie": value],
                secret: secret,
                sampleData: [Data(secret.utf8), Data(#"{"a": "s3cret", "b": ["s3cret", 53]}"#.utf8), Data()][round % 3],
                validationType: round % 2 == 0 ? .none : .customCodes([299]))
            let sample: EndpointSampleResponse =
                round % 5 == 0
                ? .networkError(URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: secret]))
                : .networkResponse(round % 7 == 0 ? 500 : 200, target.sampleData)
            let provider = MoyaProvider<Secretive>(
                endpointClosure: { target in
                    Endpoint(
                        url: MoyaProvider<Secretive>.defaultEndpointMapping(for: target).url,
                        sampleResponseClosure: { sample }, method: target.method, task: target.task,
                        httpHeaderFields: target.headers)
                }, stubClosure: MoyaProvider.immediatelyStub,
                plugins: [
                    NetworkLoggerPlugin(configuration: configuration(.verbose)),
                    NetworkLoggerPlugin(configuration: configuration([.formatRequestAscURL, .verbose])),
                ])
            provider.request(target) { _ in }
        }
        let lines = log.entries
        #expect(lines.count > 1000)
        #expect(lines.first { $0.contains("s3c") } == nil)
    }

    @Test("an empty field and content without a type are passed to curl unchanged")
    func curlsHabits() throws {
        var request = URLRequest(url: try #require(URL(string: "http://a.example/")))
        request.httpMethod = "POST"
        request.setValue("", forHTTPHeaderField: "X-Empty")
        request.httpBody = Data("x".utf8)
        let lines = Log()
        struct Curl: PluginType {
            let lines: Log
            func willSend(_ request: RequestType, target: any RelativeTarget) {
                lines.add(request.cURLDescription(redaction: .nothing))
            }
        }
        let sent = request
        let provider = MoyaProvider<Login>(
            requestClosure: { $1(.success(sent)) }, stubClosure: MoyaProvider.immediatelyStub,
            plugins: [Curl(lines: lines)])
        provider.request(.zen) { _ in }
        let command = try #require(lines.entries.first)
        #expect(command.contains("-H 'X-Empty;'"))
        #expect(command.contains("-H 'Content-Type: application/octet-stream'"))
    }

    @Test("a key cannot inject a shell command, also if nothing is redacted")
    func hostileKeys() {
        let quote = "'\u{301}"
        let hostile = NetworkLoggerPluginTests()
        let provider = MoyaProvider<Login>(
            endpointClosure: {
                MoyaProvider<Login>.defaultEndpointMapping(for: $0)
                    .replacing(task: .requestJSONEncodable(["k\(quote); echo PWNED; \(quote)": "v"]))
            }, stubClosure: MoyaProvider.immediatelyStub,
            plugins: [NetworkLoggerPlugin(configuration: hostile.configuration(.formatRequestAscURL))])
        provider.request(.login(user: "u", password: "p")) { _ in }
        let command = hostile.log.entries.first ?? ""
        // Each quote in the text closes the quoted text, is escaped, and opens the quoted text again.
        #expect(command.contains("k'\\''\u{301}; echo PWNED; '\\''\u{301}"))
    }

    @Test(
        "a value in the place of a key is hidden, and so are secrets in a Location field",
        arguments: [
            ("https://h.example/p?dG9wc2VjcmV0dG9rZW4=", "https://h.example:443/***"), ("https:us:SECRET@host", "***"),
            ("us:SECRET@host/x", "***"), ("data:SECRET", "***"), ("/reset/SECRET", "***"), ("SECRET", "***"),
            ("https://u:SECRET@h.example/reset/SECRET", "https://h.example:443/***"), (";//u:SECRET@a", "***"),
        ])
    func locations(_ location: String, _ shown: String) throws {
        let fresh = NetworkLoggerPluginTests()
        let logger = NetworkLoggerPlugin(configuration: fresh.configuration())
        let redirect = Response(statusCode: 302, data: Data("x".utf8), headers: ["Location": location])
        logger.didReceive(.success(redirect), target: Login.zen)
        #expect(fresh.log.entries == ["Response: 302 [Location: \(shown)]"])
        guard location.contains("dG9w") else { return }
        let request = URLRequest(url: try #require(URL(string: location)))
        logger.didReceive(
            .success(Response(statusCode: 200, data: Data("x".utf8), request: request)), target: Login.zen)
        #expect(fresh.log.entries.last == "Response: 200 https://h.example/p?*** []")
    }

    @Test("names of header fields from a server cannot control a terminal")
    func hostileNames() {
        let fresh = NetworkLoggerPluginTests()
        let response = Response(
            statusCode: 200, data: Data("a\nMoya_Logger: fake".utf8),
            headers: ["X\u{1b}[2J": "v", "Content-Type": "text/plain"])
        let all = fresh.configuration(.verbose, redaction: .nothing)
        NetworkLoggerPlugin(configuration: all).didReceive(.success(response), target: Login.zen)
        #expect(
            fresh.log.entries == [
                #"Response: 200 [X\u{1b}[2J: v, Content-Type: text/plain]"#, #"Response Body: a\nMoya_Logger: fake"#,
            ])
    }

    @Test("files and forms are named, and their content is not logged")
    func uploads() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
        try Data("hunter2".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        func lines(_ task: RequestTask) -> [String] {
            let fresh = NetworkLoggerPluginTests()
            let provider = MoyaProvider<Login>(
                endpointClosure: { MoyaProvider<Login>.defaultEndpointMapping(for: $0).replacing(task: task) },
                stubClosure: MoyaProvider.immediatelyStub,
                plugins: [NetworkLoggerPlugin(configuration: fresh.configuration(.requestBody, redaction: .nothing))])
            provider.request(.login(user: "u", password: "p")) { _ in }
            return fresh.log.entries
        }
        #expect(lines(.uploadFile(file))[1] == "Request Body File: \(file.lastPathComponent)")
        let form = MultipartFormData(boundary: "b", parts: [MultipartFormBodyPart(provider: .file(file), name: "n")])
        let line = lines(.uploadMultipartFormData(form))[1]
        #expect(line.wholeMatch(of: /Request Body Stream: <\d+ bytes>/) != nil, "\(line)")
    }
}
