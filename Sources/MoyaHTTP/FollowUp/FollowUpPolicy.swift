import Foundation

// Decides after each head whether to send another request: to follow a redirect, respond to a challenge, or get a
// whole file because its range is not available. Also stores cookies.
package struct FollowUpPolicy: Sendable {
    // Indirect, because most responses are delivered, and the state of an exchange is smaller that way.
    indirect enum Decision: Sendable {
        case deliver
        case send(TransportRequest)
        /// The exchange fails with an error and the head of the response.
        case fail(URLError, ResponseHead)
    }

    struct Counts: Sendable {
        var redirects = 0
        /// The number of requests that were sent in response to a challenge since the last redirect.
        var challengeResponses = 0
    }

    let redirects: RedirectPolicy
    let cookies: CookieJar?
    let responder: ChallengeResponder?
    // Whether a head refuses the requested range, so that the download starts over; `nil` if the request doesn't
    // resume one. Called on the transport's thread.
    let restartsDownload: (@Sendable (ResponseHead) -> Bool)?

    package init(
        redirects: RedirectPolicy, cookies: CookieJar?, responder: ChallengeResponder?,
        restartsDownload: (@Sendable (ResponseHead) -> Bool)? = nil
    ) {
        self.redirects = redirects
        self.cookies = cookies
        self.responder = responder
        self.restartsDownload = restartsDownload
    }

    package func ignores(_ head: ResponseHead) -> Bool {
        !head.mayBeFollowed && cookies == nil && restartsDownload == nil
    }

    func decision(on head: ResponseHead, after request: TransportRequest, _ counts: inout Counts) -> Decision {
        if !head.isReused { cookies?.store(head, from: request.url) }
        do throws(URLError) {
            guard var next = try self.request(after: head, to: request, &counts) else { return .deliver }
            if let cookies { next.headers.replace("Cookie", with: cookies.field(for: next.url)) }
            if let error = next.validateAddedFields() { return .fail(error, head) }
            return .send(next)
        } catch {
            return .fail(error, head)
        }
    }

    private func request(
        after head: ResponseHead, to request: TransportRequest, _ counts: inout Counts
    ) throws(URLError) -> TransportRequest? {
        if let restartsDownload, request.headers["Range"] != nil, restartsDownload(head) {
            var next = request
            for name in ["Range", "If-Range"] { next.headers[name] = nil }
            dropChallengeResponse(from: &next, &counts)
            return next
        }
        if var next = try redirects.request(after: head, to: request, redirects: counts.redirects) {
            dropChallengeResponse(from: &next, &counts)
            counts.redirects += 1
            return next
        }
        let next = try responder?.request(after: head, to: request, attempts: counts.challengeResponses)
        if next != nil { counts.challengeResponses += 1 }
        return next
    }

    /// An `Authorization` field that responds to a challenge is valid for the challenged request only.
    private func dropChallengeResponse(from request: inout TransportRequest, _ counts: inout Counts) {
        if counts.challengeResponses > 0 { request.headers["Authorization"] = nil }
        counts.challengeResponses = 0
    }
}
