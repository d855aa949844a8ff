import Foundation

// Finds stored properties that have the name of a protocol requirement but another type, so that the default is used
// instead. The compiler refuses only the types that ``TargetHeaders``, ``TargetMethod``, ``TargetTask`` and so on list.
// Runs once per type in debug builds, and doesn't find computed properties.
enum MistypedRequirementCheck {
    private static let checked = Locked<Set<ObjectIdentifier>>([])

    static func check(_ target: any RelativeTarget) {
        #if DEBUG
            let type = type(of: target)
            guard checked.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
            // The mirror of an enum contains its case, which is not a property, even if the case is named `headers`.
            guard Mirror(reflecting: target).displayStyle != .enum else { return }
            for (name, value) in storedProperties(of: target) {
                guard let required = requiredType(name, of: target, ifNotMetBy: value) else { continue }
                DebugHint.print(
                    "\(type).\(name) is of type \(Swift.type(of: value)) and does not meet the requirement of that name, whose "
                        + "default is used. Declare it as \(required).", about: "\(type).\(name)")
            }
        #endif
    }

    private static func requiredType(_ name: String, of target: any RelativeTarget, ifNotMetBy value: Any) -> String? {
        func type<Required>(_: Required.Type) -> String? {
            Swift.type(of: value) == Required.self ? nil : "\(Required.self)"
        }
        func mapping<Target: DecodableTargetType>(_: Target) -> String? { type(ResponseMapping<Target.Value>.self) }
        return switch name {
        case "mapping": (target as? any DecodableTargetType).flatMap { mapping($0) }
        case "method": type(HTTPMethod.self)
        case "parameters":
            Swift.type(of: value) is any TargetParameters.Type || value is [String: Any]
                ? nil : type([String: any Sendable]?.self)
        case "parameterEncoding": value is any ParameterEncoding ? nil : "any ParameterEncoding"
        case "task": type(RequestTask.self)
        case "headers": type([String: String]?.self)
        case "sampleData": type(Data.self)
        case "validationType": type(ValidationType.self)
        case "options": type(RequestOptions.self)
        default: nil
        }
    }
}
