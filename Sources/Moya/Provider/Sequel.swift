import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What follows on the heads of an attempt's answers: the whole file where the rest cannot be had, a redirect, an answer to a
/// challenge; and what becomes of the cookies meanwhile.
final class Sequel: Sendable {
    private let redirects: RedirectPolicy
    private let answerer: ChallengeAnswerer?
    private let cookies: CookieJar?
    /// The file that is to go on.
    private let resumed: DownloadFile?
    private let counts = Guarded((redirects: 0, answers: 0))

    /// - Parameters:
    ///   - letter: the first request.
    ///   - credential: answers challenges of the origin that is asked.
    ///   - nonces: counts what answers to challenges use.
    ///   - download: where the content goes.
    init(_ letter: Letter, _ credential: URLCredential?, _ nonces: NonceCounts, _ download: DownloadFile?) {
        redirects = letter.redirects
        cookies = letter.cookies
        resumed = letter.isResumption ? download : nil
        answerer = credential.flatMap { credential in
            credential.user.map { user in
                ChallengeAnswerer(
                    user: user, password: credential.password ?? "", origin: letter.outgoing.url.origin, nonces: nonces)
            }
        }
    }

    func step(_ head: ResponseHead, _ request: TransportRequest) -> Conversation.Step {
        cookies?.store(head, from: request.url)
        let step = stepWithoutCookies(head, request)
        guard let cookies, case .goOn(var next) = step else { return step }
        next.headers["Cookie"] = cookies.field(for: next.url)
        return .goOn(next)
    }

    private func stepWithoutCookies(_ head: ResponseHead, _ request: TransportRequest) -> Conversation.Step {
        if let resumed, request.headers["Range"] != nil, head.refusesRest(of: resumed) {
            resumed.startOver()
            var next = request
            for name in ["Range", "If-Range"] { next.headers[name] = nil }
            return .goOn(next)
        }
        let (redirected, answered) = counts.withLock { $0 }
        let step = redirects.step(head, request, redirects: redirected)
        if case .goOn(var next) = step {
            counts.withLock { $0 = (redirected + 1, 0) }
            // The answer to a challenge was for that request alone.
            if answered > 0 { next.headers["Authorization"] = nil }
            return .goOn(next)
        }
        guard case .deliver = step, let answerer else { return step }
        let answer = answerer.step(head, request, answers: answered)
        if case .goOn = answer { counts.withLock { $0.answers += 1 } }
        return answer
    }
}

extension ResponseHead {
    /// Whether it is no continuation, though one was asked for, nor the whole.
    fileprivate func refusesRest(of download: DownloadFile) -> Bool {
        statusCode == 416 || statusCode == 206 && !download.continues(self)
    }
}
