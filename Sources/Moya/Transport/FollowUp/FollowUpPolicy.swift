import Foundation

/// Decides what follows on the heads of an exchange's responses: the whole file where its rest cannot be had, a redirect, the
/// response to a challenge; and stores cookies.
struct FollowUpPolicy: Sendable {
    enum Decision {
        /// The response is delivered.
        case deliver
        /// Another request is sent.
        case send(TransportRequest)
        /// The response is an error.
        case fail(URLError)
    }

    /// What has been sent so far in one exchange.
    struct Counts: Sendable {
        var redirects = 0
        /// Since the last redirect.
        var challengeResponses = 0
    }

    let redirects: RedirectPolicy
    let cookies: CookieJar?
    let responder: ChallengeResponder?
    /// The partial file whose rest was requested.
    let resumed: DownloadFile?

    /// Whether nothing can follow on any head, and no cookie is stored.
    var isTrivial: Bool { redirects == .never && cookies == nil && responder == nil && resumed == nil }

    func decision(on head: ResponseHead, after request: TransportRequest, _ counts: inout Counts) -> Decision {
        if !head.isReused { cookies?.store(head, from: request.url) }
        let decision = decisionWithoutCookies(on: head, after: request, &counts)
        guard let cookies, case .send(var next) = decision else { return decision }
        next.headers["Cookie"] = cookies.field(for: next.url)
        return .send(next)
    }

    private func decisionWithoutCookies(
        on head: ResponseHead, after request: TransportRequest, _ counts: inout Counts
    ) -> Decision {
        if let resumed, request.headers["Range"] != nil, head.refusesRest(of: resumed) {
            resumed.startOver()
            var next = request
            for name in ["Range", "If-Range"] { next.headers[name] = nil }
            return .send(next)
        }
        let redirect = redirects.decision(on: head, after: request, redirects: counts.redirects)
        switch redirect {
        case .fail: return redirect
        case .send(var next):
            // The response to a challenge was for that request alone.
            if counts.challengeResponses > 0 { next.headers["Authorization"] = nil }
            counts = Counts(redirects: counts.redirects + 1)
            return .send(next)
        case .deliver:
            guard let responder else { return .deliver }
            let response = responder.decision(on: head, after: request, responses: counts.challengeResponses)
            if case .send = response { counts.challengeResponses += 1 }
            return response
        }
    }
}

extension ResponseHead {
    /// Whether it is neither the rest that was requested nor the whole.
    fileprivate func refusesRest(of download: DownloadFile) -> Bool {
        statusCode == 416 || statusCode == 206 && !download.continues(self)
    }
}
