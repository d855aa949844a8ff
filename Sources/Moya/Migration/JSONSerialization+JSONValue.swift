public import Foundation

// JSONSerialization takes `Any` and ends the process if the object is not one of Foundation. These overloads are not
// unavailable, because the compiler prefers an available overload with `Any` to an unavailable one.
extension JSONSerialization {
    /// Returns the JSON text of a value.
    ///
    /// The value need not be an array or object, even without the option `fragmentsAllowed`.
    ///
    /// - Throws: an `EncodingError` for a number that is not finite.
    @available(
        *, deprecated, message: "a JSONValue is not an object of Foundation: pass json.foundationObject, or encode it"
    )
    public static func data(withJSONObject json: JSONValue, options: WritingOptions = []) throws -> Data {
        let object = json.foundationObject
        // An array is valid if its elements are.
        guard isValidJSONObject([object]) else {
            throw EncodingError.invalidValue(
                json, .init(codingPath: [], debugDescription: "a number is not finite, which JSON cannot represent"))
        }
        return try data(withJSONObject: object, options: options.union(.fragmentsAllowed))
    }

    /// Returns whether a value is an array or object whose numbers are finite.
    @available(*, deprecated, message: "a JSONValue is not an object of Foundation: pass json.foundationObject")
    public static func isValidJSONObject(_ json: JSONValue) -> Bool { isValidJSONObject(json.foundationObject) }
}
