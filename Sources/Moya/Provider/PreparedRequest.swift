import Foundation

/// A request that is ready to be sent, with the settings of its exchange.
struct PreparedRequest: Sendable {
    /// The request with its content, default header fields and cookies.
    let request: TransportRequest
    let timeouts: Timeouts
    /// The progress of the upload; `nil` if the progress of the response is reported instead.
    let upload: ResponseAccumulator.UploadProgress?
    /// The provider's cookie jar; `nil` without a jar, or if the request or the default headers have a `Cookie` field.
    let cookies: CookieJar?
    /// Whether the request is for the missing range of a partial download.
    let isResumption: Bool

    /// Creates the request to send: `prepared` with the content, the default header fields and the cookies.
    ///
    /// - Parameters:
    ///   - prepared: the request as the plugins have prepared it.
    ///   - resumption: the fields that request the missing range of a partial download; `nil` for any other request.
    ///   - wantsProgress: whether progress is reported while the response arrives.
    init(
        _ prepared: TransportRequest, of execution: RequestExecution, resumption: HTTPHeaders?, wantsProgress: Bool
    ) throws(MoyaError) {
        let task = execution.endpoint.task
        timeouts = try execution.timeouts.merging(interval: prepared.timeoutInterval)
        isResumption = resumption != nil
        cookies = execution.providerContext.cookies(for: prepared)
        var request = prepared
        request.apply(prepared.cachePolicy)
        if request.content?.isEmpty == true { request.body = .none }
        if let content = try task.content(for: prepared.method) {
            request.body = content.body
            if content.contentType.hasPrefix("multipart/") {
                // This content type replaces any other, because it contains the boundary between the parts.
                request.headers["Content-Type"] = content.contentType
            } else {
                request.setIfMissing("Content-Type", content.contentType)
            }
        }
        if request.content != nil { request.setIfMissing("Content-Type", "application/octet-stream") }
        for field in resumption?.fields ?? [] { request.headers[field.name] = field.value }
        let download = task.download
        if download?.partialFile != nil {
            // If the content were compressed, the missing range of an interrupted download could not be requested.
            request.headers["Accept-Encoding"] = "identity"
        }
        request.headers.addMissing(execution.providerContext.configuration.defaultHeaders)
        if let field = cookies?.field(for: request.url) { request.headers.replace("Cookie", with: field) }
        if execution.sink != nil { request.headers.forbidStoringOfEvents() }
        request.connectTimeout = timeouts.connect
        request.delivery = execution.delivery(wantsProgress: wantsProgress)
        request.context = execution.callContext
        request.maximumResponseSize = execution.sink == nil && download == nil ? execution.maximumResponseSize : nil
        try MoyaError.wrapping { () throws(TransportError) in try request.validate() }
        self.request = request
        if case .none = request.body {
            upload = nil
        } else {
            upload = download == nil ? .init(length: (try? request.body.length()) ?? nil) : nil
        }
    }
}

extension HTTPHeaders {
    /// Sets `Cache-Control: no-store` if the fields are those of a request for an event stream.
    ///
    /// A stored event stream would be replayed at each reconnection.
    fileprivate mutating func forbidStoringOfEvents() {
        let mediaTypes = ListFieldValue(self["Accept"] ?? "").elements
        guard mediaTypes.contains(where: { $0.mediaType == "text/event-stream" }),
            !ListFieldValue(self["Cache-Control"] ?? "").elements.contains(where: { $0.lowercased() == "no-store" })
        else { return }
        self["Cache-Control"] = "no-store"
    }

    /// Adds the fields of `other` whose names are missing.
    fileprivate mutating func addMissing(_ other: HTTPHeaders) {
        // Assigning `other` shares its storage instead of copying the fields one by one.
        guard !fields.isEmpty else { return self = other }
        var index = HeaderIndex()
        let missing = other.fields.filter { index.firstIndex(of: $0.name, in: fields) == nil }
        reserveCapacity(fields.count + missing.count)
        for field in missing { add(field) }
    }
}

extension RequestExecution {
    /// Returns how a response's content is delivered: in chunks for streams, downloads, progress or stubs.
    fileprivate func delivery(wantsProgress: Bool) -> TransportRequest.Delivery {
        if sink != nil { return .chunks(window: streamWindow) }
        if endpoint.task.download != nil { return .chunks(window: 1 << 20) }
        return wantsProgress || isStubbed ? .chunks(window: nil) : .whole
    }
}
