public import Foundation

// Names of Moya 15 for declarations that have other names in this package.

/// A closure that receives the response or the error of a request.
public typealias Completion = @Sendable (_ result: Result<Response, MoyaError>) -> Void

/// A closure that receives the progress of a request.
public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void

extension AccessTokenPlugin {
    /// Returns the token for a target, or `nil` to send no token.
    public typealias TokenClosure = @Sendable (any RelativeTarget) -> String?

    /// Creates a plugin with a closure that has the type of a `TargetType` written out.
    @_disfavoredOverload
    public init(tokenClosure: @escaping @Sendable (any TargetType) -> String?) {
        self.init { tokenClosure($0.asTargetType) }
    }
}

extension CredentialsPlugin {
    /// Returns the credential for a target, or `nil` if there is none for the target.
    public typealias CredentialClosure = @Sendable (any RelativeTarget) -> URLCredential?

    /// Creates a plugin with a closure that has the type of a `TargetType` written out.
    @_disfavoredOverload
    public init(credentialsClosure: @escaping @Sendable (any TargetType) -> URLCredential?) {
        self.init { credentialsClosure($0.asTargetType) }
    }
}

extension NetworkActivityPlugin {
    /// A closure that is called with the target of a request when the request begins and when it ends.
    public typealias NetworkActivityClosure = @Sendable (NetworkActivityChangeType, any RelativeTarget) -> Void

    /// Creates a plugin with a closure that has the type of a `TargetType` written out.
    @_disfavoredOverload
    public init(networkActivityClosure: @escaping @Sendable (NetworkActivityChangeType, any TargetType) -> Void) {
        self.init { networkActivityClosure($0, $1.asTargetType) }
    }
}

extension NetworkLoggerPlugin.Configuration {
    /// Creates a configuration with a closure that has the type of a `TargetType` written out.
    @_disfavoredOverload
    public init(
        formatter: Formatter = Formatter(), output: @escaping @Sendable (any TargetType, [String]) -> Void,
        logOptions: LogOptions = .default
    ) {
        self.init(formatter: formatter, output: { output($0.asTargetType, $1) }, logOptions: logOptions)
    }
}

extension NetworkLoggerPlugin.Formatter {
    /// Creates a formatter with a closure that has the type of a `TargetType` written out.
    @_disfavoredOverload
    public init(entry: @escaping @Sendable (String, String, any TargetType) -> String) {
        self.init(entry: { entry($0, $1, $2.asTargetType) })
    }
}

extension MultiTarget {
    /// Returns a target that wraps another target, as ``MultiTarget/init(_:)`` does.
    public static func target(_ target: any RelativeTarget) -> MultiTarget { MultiTarget(target) }
}

extension URL {
    /// Creates the URL of a target: its base URL with its path.
    ///
    /// The initializer does not fail. If the target has no valid http or https URL, the initializer joins the base URL
    /// and the path with `URL.appending(path:)`, and prints the reason in a debug build. A provider with the default
    /// endpoint closure cannot send a request for such a target.
    public init(target: some TargetType) {
        do {
            self = try URL(checkedForHTTP: try target.url().text)
        } catch {
            let type = type(of: target)
            DebugHint.print("URL(target:) of \(type) is not valid: \(error)", about: "URL(target:) \(type)")
            self = target.path.isEmpty ? target.baseURL : target.baseURL.appending(path: target.path)
        }
    }
}

extension ProgressResponse {
    /// A new `Progress` with the completed and the total number of bytes; it is indeterminate if the total is unknown.
    ///
    /// The value is never `nil`. It is optional as in Moya 15.
    public var progressObject: Progress? {
        let progress = Progress(totalUnitCount: totalUnitCount ?? -1)
        progress.completedUnitCount = max(0, min(completedUnitCount, totalUnitCount ?? .max))
        return progress
    }
}

extension RequestTask {
    /// Parameters of any type; a value that cannot be encoded fails the request.
    public static func requestParameters(
        parameters: [String: Any]?, encoding: any ParameterEncoding
    ) -> RequestTask {
        .requestParameters(
            parameters: ParameterValue.sendable(members: parameters ?? [:], at: "parameters"), encoding: encoding)
    }

    /// Parameters of any type in the body and in the query; a value that cannot be encoded fails the request.
    public static func requestCompositeParameters(
        bodyParameters: [String: Any]?, bodyEncoding: any ParameterEncoding, urlParameters: [String: Any]?
    ) -> RequestTask {
        .requestCompositeParameters(
            bodyParameters: ParameterValue.sendable(members: bodyParameters ?? [:], at: "bodyParameters"),
            bodyEncoding: bodyEncoding,
            urlParameters: ParameterValue.sendable(members: urlParameters ?? [:], at: "urlParameters"))
    }

    /// A form of several parts; the same as ``uploadMultipartFormData(_:)``.
    public static func uploadMultipart(_ parts: [MultipartFormBodyPart]) -> RequestTask {
        .uploadMultipartFormData(MultipartFormData(parts: parts))
    }

    /// A form with the parts of all given forms.
    ///
    /// This overload is for code from earlier releases of Moya, where a `MultipartFormData` was one part of a form.
    @_disfavoredOverload
    public static func uploadMultipart(_ forms: [MultipartFormData]) -> RequestTask {
        .uploadMultipart(forms.flatMap(\.parts))
    }

    /// A form of several parts, and parameters in the query; the same as
    /// ``uploadCompositeMultipartFormData(_:urlParameters:urlEncoding:)``.
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormBodyPart], urlParameters: [String: any Sendable]
    ) -> RequestTask {
        .uploadCompositeMultipartFormData(MultipartFormData(parts: parts), urlParameters: urlParameters)
    }

    /// A form with the parts of all given forms, and parameters in the query.
    @_disfavoredOverload
    public static func uploadCompositeMultipart(
        _ forms: [MultipartFormData], urlParameters: [String: any Sendable]
    ) -> RequestTask {
        .uploadCompositeMultipart(forms.flatMap(\.parts), urlParameters: urlParameters)
    }
}

extension MultipartFormData {
    /// Creates a form of one part.
    @available(*, deprecated, message: "a part of a form is a MultipartFormBodyPart")
    public init(provider: RequestBody, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.init(parts: [
            MultipartFormBodyPart(provider: provider, name: name, fileName: fileName, mimeType: mimeType)
        ])
    }
}

// Names of `URLRequest`, so that code that changes a `URLRequest` also changes a `TransportRequest`.
extension TransportRequest {
    /// Sets a header field; the same as `headers[field] = value`.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { headers[field] = value }

    /// The value of a header field; the same as `headers[field]`.
    public func value(forHTTPHeaderField field: String) -> String? { headers[field] }

    /// Adds a header field; the same as `headers.add(field, value)`.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { headers.add(field, value) }
}
