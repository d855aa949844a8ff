import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as it goes out, with all that was decided about it.
struct Letter: Sendable {
    let request: URLRequest
    let outgoing: TransportRequest
    let timeouts: Timeouts
    /// The content that progress is about; nil if that is the response's.
    let upload: Answer.Upload?
    let redirects: RedirectPolicy
    /// It asks for the rest of a download.
    let isResumption: Bool
    /// Nil also where the request has cookies of its own.
    let cookies: CookieJar?

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
        cookies = plan.equipment.cookies(for: prepared)
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
        for field in plan.equipment.defaultHeaders.fields where request.value(forHTTPHeaderField: field.name) == nil {
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
        if let url = request.url, let field = cookies?.field(for: url) {
            request.setValue(field, forHTTPHeaderField: "Cookie")
        }
        let content = body ?? request.httpBody.flatMap { $0.isEmpty ? nil : .data($0) }
        upload = download == nil ? content.map { Answer.Upload(length: (try? $0.length()) ?? nil) } : nil
        self.request = request
        outgoing = try TransportRequest(
            request, spelling: plan.endpoint.headers, body: body, connectTimeout: timeouts.connect,
            delivery: plan.delivery(wantsProgress: wantsProgress))
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
