import Foundation
import Moya
import MoyaTesting
import TestSupport

/// A server that gives hostile answers: to `/<place>/…` the one at that place, to anything else a friendly one.
final class HostileServer: Sendable {
    let answers: [HostileAnswer]
    private let server: LoopbackServer
    /// The targets whose answers have been sent as far as they go.
    private let sent: Box<Set<String>>

    /// All answers of a family; under the thread sanitizer, which is slow, some of them.
    convenience init(_ family: HostileFamily) throws {
        #if MOYA_SANITIZER
            try self.init(stride(from: 0, to: family.answers.count, by: 6).map { family.answers[$0] })
        #else
            try self.init(family.answers)
        #endif
    }

    init(_ answers: [HostileAnswer]) throws {
        let sent = Box<Set<String>>([])
        server = try LoopbackServer { request in
            guard let place = request.path.split(separator: "/").first.flatMap({ Int($0) }) else {
                return .text("fine")
            }
            let note = LoopbackReply.Step.waitUntil {
                sent.change { _ = $0.insert(request.path) }
                return false
            }
            return LoopbackReply(answers[place].steps + (answers[place].isAwaited ? [note] : []))
        }
        self.answers = answers
        self.sent = sent
    }

    var url: URL { server.url }

    func stop() { server.stop() }

    func hasSent(_ path: String) -> Bool { sent.value.contains(path) }

    /// The connections to this server that this process holds open, whatever the server has done with them.
    var openConnections: Int {
        let port = String(server.url.port ?? 0, radix: 16, uppercase: true)
        let table = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").count { line in
            // Number, local and remote address, state: established, connecting, or closed by the other side.
            let columns = line.split(separator: " ", maxSplits: 4)
            return columns.count > 3 && columns[2].hasSuffix(":\(port)") && ["01", "02", "08"].contains(columns[3])
        }
    }
}

extension HostileAnswer {
    /// The connection is closed after all bytes are sent.
    fileprivate var isAwaited: Bool { ending == .stay && (expected == .nothing || followed == .nothing) }

    /// What is wrong with all that an engine has reported, if anything.
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

    /// What is wrong with an outcome, if anything.
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
