import Foundation
import Moya
import MoyaTesting
import TestSupport

/// A server of hostile responses: `/<index>/…` returns the response at that index, any other path a valid response.
final class HostileServer: Sendable {
    let responses: [HostileResponse]
    private let server: LoopbackServer
    /// The targets whose responses were sent completely.
    private let sent: Box<Set<String>>

    /// Starts a server with all responses of a family, or, with the thread sanitizer, which is slow, with some of them.
    convenience init(_ family: HostileFamily) throws {
        #if MOYA_SANITIZER
            try self.init(stride(from: 0, to: family.responses.count, by: 6).map { family.responses[$0] })
        #else
            try self.init(family.responses)
        #endif
    }

    init(_ responses: [HostileResponse]) throws {
        let sent = Box<Set<String>>([])
        server = try LoopbackServer { request in
            guard let place = request.path.split(separator: "/").first.flatMap({ Int($0) }) else {
                return .text("fine")
            }
            let note = LoopbackReply.Step.waitUntil {
                sent.change { _ = $0.insert(request.path) }
                return false
            }
            return LoopbackReply(responses[place].steps + (responses[place].isAwaited ? [note] : []))
        }
        self.responses = responses
        self.sent = sent
    }

    var url: URL { server.url }

    func stop() { server.stop() }

    func hasSent(_ path: String) -> Bool { sent.value.contains(path) }

    /// The number of connections to this server that this process has not closed.
    var openConnections: Int {
        let port = String(server.url.port ?? 0, radix: 16, uppercase: true)
        let table = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").count { line in
            // The columns are: index, local address, remote address, state (established, connecting, or closed by the
            // peer).
            let columns = line.split(separator: " ", maxSplits: 4)
            return columns.count > 3 && columns[2].hasSuffix(":\(port)") && ["01", "02", "08"].contains(columns[3])
        }
    }
}

extension HostileResponse {
    /// Whether the server records that all bytes were sent, because no outcome is expected after them.
    fileprivate var isAwaited: Bool { ending == .stay && (expected == .nothing || followed == .nothing) }

    /// Returns a description of the first error in the delivered events, or `nil`.
    func complaint(about result: Exchanged) -> String? {
        let isComplete = result.error == nil
        if result.outcomes.count != 1 || result.eventsAfterOutcome > 0 {
            return "\(self): \(result.outcomes.count) outcomes"
        }
        if result.heads > 1 || isComplete && result.heads == 0 || result.received > 0 && result.heads == 0 {
            return "\(self): \(result.heads) heads, \(result.received) bytes"
        }
        if let status = result.head?.statusCode, !(100..<1000).contains(status) { return "\(self): status \(status)" }
        let observed: Result<(Int, Data), MoyaError> =
            result.error.map { .failure(.underlying($0, nil)) }
            ?? .success((result.head?.statusCode ?? 0, result.content))
        return complaint(about: observed, expected)
    }

    /// Returns a description of an unexpected outcome, or `nil`.
    func complaint(about observed: Result<(Int, Data), MoyaError>, _ expected: Outcome) -> String? {
        let isExpected =
            switch (observed, expected) {
            case (.success((let status, let content)), .response(let expected, let text)):
                status == expected && text.map { Data($0.utf8) == content } != false
            case (.success((let status, let content)), .either(let expected, let text)):
                expected.map { $0 == status } != false && text.map { Data($0.utf8) == content } != false
            case (.failure(let error), .failure(let kinds)): kinds.contains(error.kind)
            case (.failure(let error), .either): [.badResponse, .connectionLost].contains(error.kind)
            case (.failure(let error), .nothing): [.cancelled, .timeout].contains(error.kind)
            default: false
            }
        guard !isExpected else { return nil }
        switch observed {
        case .success((let status, let content)):
            return "\(self): \(status) with \(content.count) bytes, instead of \(expected)"
        case .failure(let error): return "\(self): \(error.kind), \(error), instead of \(expected)"
        }
    }
}
