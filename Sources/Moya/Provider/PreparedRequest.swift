import Foundation

/// A request that the plugins have prepared, with the settings of its exchange.
struct PreparedRequest: Sendable {
    /// The request with its content type, default header fields and cookies.
    let request: ResolvedRequest
    /// The same request, in the form that the transport receives.
    let outgoing: TransportRequest
    let timeouts: Timeouts
    /// The content whose upload is reported as progress; `nil` if progress reports the response.
    let upload: ResponseAccumulator.Upload?
    /// The provider's cookie jar; `nil` if it has none, or if the request or the default headers have a `Cookie` field.
    let cookies: CookieJar?
    /// Whether the request is for the rest of a download.
    let isResumption: Bool

    /// Adds the content, the default header fields and the cookies to a request.
    ///
    /// - Parameters:
    ///   - prepared: the request, after the plugins.
    ///   - resumption: the fields that request the rest of a download.
    ///   - wantsProgress: whether content is reported as it arrives.
    init(
        _ prepared: ResolvedRequest, _ context: RequestContext, resumption: HTTPHeaders?, wantsProgress: Bool
    ) throws(MoyaError) {
        let task = context.endpoint.task
        timeouts = try context.timeouts.merging(interval: prepared.timeoutInterval)
        isResumption = resumption != nil
        cookies = context.pipeline.cookies(for: prepared)
        var request = prepared
        var body: RequestBody?
        if let content = try task.content(for: prepared.method) {
            body = content.body
            if content.contentType.hasPrefix("multipart/") {
                // Only this value has the boundary of the content.
                request.headers["Content-Type"] = content.contentType
            } else {
                request.setIfMissing("Content-Type", content.contentType)
            }
        }
        for field in resumption?.fields ?? [] { request.headers[field.name] = field.value }
        let download = task.download
        if download?.partialFile != nil {
            // The rest of compressed content cannot be requested.
            request.headers["Accept-Encoding"] = "identity"
        }
        request.headers.addMissing(context.pipeline.configuration.defaultHeaders)
        if let field = cookies?.field(for: request.url) { request.headers["Cookie"] = field }
        self.request = request
        var outgoing = try TransportRequest(
            request, body: body, connectTimeout: timeouts.connect,
            delivery: context.delivery(wantsProgress: wantsProgress))
        outgoing.context = context.callContext
        self.outgoing = outgoing
        if case .none = outgoing.body {
            upload = nil
        } else {
            upload = download == nil ? .init(length: (try? outgoing.body.length()) ?? nil) : nil
        }
    }
}

extension HTTPHeaders {
    /// Adds the fields of `other` whose names are missing.
    fileprivate mutating func addMissing(_ other: HTTPHeaders) {
        // Many requests have the default fields only, and share the storage of these fields.
        guard !fields.isEmpty else { return self = other }
        reserveCapacity(fields.count + other.fields.count)
        for field in other.fields where self[field.name] == nil { add(field.name, field.value) }
    }
}

extension RequestContext {
    /// Returns the delivery mode of the response: in chunks, unless nothing uses the content before its end.
    fileprivate func delivery(wantsProgress: Bool) -> TransportRequest.Delivery {
        if let sink { return .chunks(window: sink.window) }
        if endpoint.task.download != nil { return .chunks(window: 1 << 20) }
        return wantsProgress || maximumResponseSize != nil || isStubbed ? .chunks(window: nil) : .whole
    }
}
