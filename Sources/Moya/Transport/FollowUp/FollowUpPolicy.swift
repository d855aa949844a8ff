import Foundation

/// Decides after each response head whether another request is sent.
///
/// Another request follows a redirect, responds to a challenge, or requests the complete file if the requested range
/// is not available. The policy also stores cookies.
struct FollowUpPolicy: Sendable {
    enum Decision {
        /// The response is delivered.
        case deliver
        /// Another request is sent.
        case send(TransportRequest)
        /// The exchange fails with the error.
        case fail(URLError)
    }

    /// How many redirects an exchange has followed, and how many challenges it has responded to.
    struct Counts: Sendable {
        var redirects = 0
        /// The number of requests that were sent in response to a challenge since the last redirect.
        var challengeResponses = 0
    }

    let redirects: RedirectPolicy
    let cookies: CookieJar?
    let responder: ChallengeResponder?
    /// The partial file of a download, if the request resumes the download with the field `Range`.
    let resumed: DownloadFile?

    /// Returns whether the policy has nothing to do for a response: no other request to send, no cookies to store.
    func ignores(_ head: ResponseHead) -> Bool { !head.mayBeFollowed && cookies == nil && resumed == nil }

    func decision(on head: ResponseHead, after request: TransportRequest, _ counts: inout Counts) -> Decision {
        if !head.isReused { cookies?.store(head, from: request.url) }
        let decision = decisionWithoutCookies(on: head, after: request, &counts)
        guard let cookies, case .send(var next) = decision else { return decision }
        next.headers.replace("Cookie", with: cookies.field(for: next.url))
        return .send(next)
    }

    private func decisionWithoutCookies(
        on head: ResponseHead, after request: TransportRequest, _ counts: inout Counts
    ) -> Decision {
        if let resumed, request.headers["Range"] != nil, head.refusesRange(of: resumed) {
            resumed.discardOffset()
            var next = request
            for name in ["Range", "If-Range"] { next.headers[name] = nil }
            return .send(next)
        }
        let redirect = redirects.decision(on: head, after: request, redirects: counts.redirects)
        switch redirect {
        case .fail: return redirect
        case .send(var next):
            // An `Authorization` field that responds to a challenge is valid for the challenged request only.
            if counts.challengeResponses > 0 { next.headers["Authorization"] = nil }
            counts = Counts(redirects: counts.redirects + 1)
            return .send(next)
        case .deliver:
            guard let responder else { return .deliver }
            let response = responder.decision(on: head, after: request, attempts: counts.challengeResponses)
            if case .send = response { counts.challengeResponses += 1 }
            return response
        }
    }
}

extension ResponseHead {
    /// Returns whether the server refused the requested range, or sent a range that does not continue the partial file.
    fileprivate func refusesRange(of download: DownloadFile) -> Bool {
        statusCode == 416 || statusCode == 206 && !download.continues(self)
    }
}
