/// The type of a target's `headers`: `[String: String]?`.
public protocol TargetHeaders {}

extension Optional: TargetHeaders where Wrapped: TargetHeaderFields {}

@available(*, unavailable, message: "declare the property as headers: [String: String]?")
extension Dictionary: TargetHeaders where Key == String {}

@available(*, unavailable, message: "declare the property as headers: [String: String]?, and return the dictionary")
extension HTTPHeaders: TargetHeaders {}

/// The type of a target's `headers` that are not `nil`: `[String: String]`.
public protocol TargetHeaderFields {}

extension Dictionary: TargetHeaderFields where Key == String, Value == String {}

@available(*, unavailable, message: "declare the property as headers: [String: String]?, and return the dictionary")
extension HTTPHeaders: TargetHeaderFields {}

/// The type of a target's `method`: ``HTTPMethod``.
public protocol TargetMethod {}

extension HTTPMethod: TargetMethod {}

@available(*, unavailable, message: "declare the property as method: Moya.Method, such as .post")
extension String: TargetMethod {}

@available(*, unavailable, message: "declare the property as method: Moya.Method, which is not optional")
extension Optional: TargetMethod where Wrapped == HTTPMethod {}

/// The type of a target's `task`: ``RequestTask``.
public protocol TargetTask {}

extension RequestTask: TargetTask {}

@available(*, unavailable, message: "declare the property as task: RequestTask, which is not optional")
extension Optional: TargetTask where Wrapped == RequestTask {}

/// The type of a target's `parameters`: `[String: Any]?`, or a dictionary that is not optional.
///
/// The type `[String: any Sendable]?` is that of ``RelativeTarget/parameters``, and needs no conversion.
public protocol TargetParameters {
    /// Returns the parameters, whose values are not converted yet.
    static func dictionary(of parameters: Self) -> [String: Any]?
}

extension Optional: TargetParameters where Wrapped == [String: Any] {
    /// Returns the parameters themselves.
    public static func dictionary(of parameters: Self) -> [String: Any]? { parameters }
}

extension Dictionary: TargetParameters where Key == String {
    /// Returns the parameters themselves.
    public static func dictionary(of parameters: Self) -> [String: Any]? { parameters }
}

/// The type of a target's `validationType`: ``ValidationType``.
public protocol TargetValidation {}

extension ValidationType: TargetValidation {}

@available(*, unavailable, message: "declare the property as validationType: ValidationType, which is not optional")
extension Optional: TargetValidation where Wrapped == ValidationType {}
