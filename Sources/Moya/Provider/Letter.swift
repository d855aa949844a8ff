import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as it goes out, with all that was decided about it.
struct Letter: Sendable {
    let request: URLRequest
    let outgoing: TransportRequest
    let timeouts: Timeouts
    /// Content that is worth reporting progress of; nil if there is none.
    let upload: Answer.Upload?
    private let redirects: RedirectPolicy
    private let isResumption: Bool

    /// - Parameters:
    ///   - prepared: the request, after the plugins.
    ///   - resumption: the fields that ask for the rest of a download.
    ///   - wantsProgress: whether the answer's content is reported as it comes.
    init(
        _ prepared: URLRequest, _ plan: Flight.Plan, resumption: HTTPHeaders?, wantsProgress: Bool
    ) throws(MoyaError) {
        let options = plan.target.options
        timeouts = try (options.timeouts ?? plan.equipment.timeouts).merging(prepared)
        redirects = options.redirects ?? plan.equipment.redirects
        isResumption = resumption != nil
        var request = prepared
        var body: RequestBody?
        if let content = try plan.endpoint.task.content(for: prepared) {
            body = content.body
            if content.contentType.hasPrefix("multipart/") {
                // Only this one has the boundary.
                request.setValue(content.contentType, forHTTPHeaderField: "Content-Type")
            } else {
                request = request.withContentType(content.contentType)
            }
        }
        for field in resumption?.fields ?? [] { request.setValue(field.value, forHTTPHeaderField: field.name) }
        let download = plan.endpoint.task.download
        if download?.partialFile != nil {
            // The rest of what was compressed cannot be asked for.
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        upload = body.map { body in Answer.Upload(length: (try? body.length()) ?? nil) }
        self.request = request
        outgoing = try TransportRequest(
            request, spelling: plan.endpoint.headers, body: body, connectTimeout: timeouts.connect,
            delivery: plan.delivery(wantsProgress: wantsProgress))
    }

    /// What follows on a response head: the whole file where the rest cannot be had, a redirect, an answer to a challenge.
    ///
    /// - Parameters:
    ///   - credential: answers challenges of the host that was asked.
    ///   - download: the file that is to go on.
    func step(
        _ credential: URLCredential?, _ download: DownloadFile?
    ) -> @Sendable (ResponseHead, TransportRequest, Int) -> Conversation.Step {
        let answerer = credential.flatMap { credential in
            credential.user.map { user in
                ChallengeAnswerer(user: user, password: credential.password ?? "", origin: outgoing.url.origin)
            }
        }
        let redirects = redirects
        let counts = Guarded((redirects: 0, answers: 0))
        let isResumption = isResumption
        return { head, request, _ in
            if isResumption, let download, request.headers["Range"] != nil, head.refusesRest(of: download) {
                download.startOver()
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
}

extension ResponseHead {
    /// Whether it is no continuation, though one was asked for, nor the whole.
    fileprivate func refusesRest(of download: DownloadFile) -> Bool {
        statusCode == 416 || statusCode == 206 && !download.continues(self)
    }
}

extension Flight.Plan {
    /// As a whole only where nobody is interested in the way there.
    fileprivate func delivery(wantsProgress: Bool) -> TransportRequest.Delivery {
        if let parts { return .chunks(window: parts.window) }
        if endpoint.task.download != nil { return .chunks(window: 1 << 20) }
        return wantsProgress || maximumResponseSize != nil ? .chunks(window: nil) : .whole
    }
}
