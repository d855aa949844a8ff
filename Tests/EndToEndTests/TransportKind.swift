import Foundation
import MoyaStreams
import Testing

func address(_ name: String) -> URL? {
    ProcessInfo.processInfo.environment[name].flatMap { URL(string: $0) }
}

/// The transports of this platform: each parameterized test runs on all of them that have the required features.
enum TransportKind: String, CaseIterable, CustomStringConvertible {
    #if os(Linux)
        case curl
    #endif
    case urlSession

    /// A feature that a test may require and that not all transports have.
    enum Need: String, CaseIterable {
        case ownAuthorities
        case trailers
        case separateFields
        case addressesInBrackets
        case fieldsInLatin1
        case backpressure
    }

    /// The missing features of each transport, with reasons: the only list of omitted tests.
    var lacks: [Need: String] {
        switch self {
        #if os(Linux)
            case .curl: [:]
        #endif
        case .urlSession:
            [
                .ownAuthorities: "a session supports no additional authorities (and HTTP/2 requires TLS)",
                .trailers: "on Linux a trailer ends the process, and elsewhere it is not reported",
                .separateFields: "a response has one value for each name",
                .addressesInBrackets: "on Linux `[::1]` in a URL is refused: it and libcurl do not agree on the host",
                .backpressure: "on Linux there is no backpressure: unconsumed content is buffered in memory",
                .fieldsInLatin1: "on Linux a byte that is not UTF-8 in a header field fails the exchange",
            ]
        }
    }

    /// Returns the transports that have all the given features.
    static func with(_ needs: Need...) -> [TransportKind] {
        allCases.filter { kind in needs.allSatisfy { kind.lacks[$0] == nil } }
    }

    var description: String { rawValue }

    /// - Parameter threads: the number of threads of a curl transport; `nil`: its default.
    func transport(trusting authority: Data? = nil, threads: Int? = nil) throws -> any Transport {
        switch self {
        #if os(Linux)
            case .curl:
                try CurlTransport(
                    trust: authority.map { ServerTrustPolicy(authorities: [$0], trustsSystemAuthorities: false) }
                        ?? .system, threads: threads)
        #endif
        case .urlSession: URLSessionTransport()
        }
    }

    /// Creates a provider with its own transport for a server that an environment variable names.
    func provider(
        _ name: String, plugins: [any PluginType] = [], redirects: RedirectPolicy = .follow, cookies: CookieJar? = nil,
        timeouts: Timeouts = Timeouts(total: .seconds(120)), threads: Int? = nil
    ) throws -> MoyaProvider<MultiTarget> {
        let server = try #require(address(name))
        let isOurs = server.scheme == "https" && name != "MOYA_HTTPS"
        return MoyaProvider(
            baseURL: server, transport: try transport(trusting: isOurs ? try authority() : nil, threads: threads),
            plugins: plugins, redirects: redirects, cookies: cookies, timeouts: timeouts)
    }
}

/// Returns the certificate of the authority that has signed the certificates of the test servers.
private func authority() throws -> Data { try tlsFile("ca.pem") }

func tlsFile(_ name: String) throws -> Data {
    let folder = try #require(ProcessInfo.processInfo.environment["MOYA_TLS"])
    return try Data(contentsOf: URL(filePath: folder).appending(path: name))
}

/// A target with a path.
struct Page: RelativeTarget, AccessTokenAuthorizable {
    var path: String
    var method = HTTPMethod.get
    var headers: [String: String]?
    var options = RequestOptions(pathMode: .allowingQuery)
    var task = RequestTask.requestPlain
    var validationType = ValidationType.none
    var authorizationType: AuthorizationType?
}

/// A folder that is removed after the test.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "moya.\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Returns the kind of the error, or `nil` for a success.
func errorKind(_ body: () async throws(MoyaError) -> Void) async -> MoyaError.Kind? {
    do {
        try await body()
        return nil
    } catch {
        return error.kind
    }
}

@Suite(.enabled(if: address("MOYA_HTTP") != nil), .timeLimit(.minutes(10)))
struct TransportKindTests {
    @Test("omitted tests are reported, and those of libcurl are not omitted")
    func leftOut() {
        #if os(Linux)
            #expect(TransportKind.curl.lacks.isEmpty)
        #endif
        for kind in TransportKind.allCases {
            for (need, reason) in kind.lacks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                print("omitted on \(kind): \(need): \(reason)")
            }
        }
    }
}
