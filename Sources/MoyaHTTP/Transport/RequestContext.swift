package import Foundation

/// Wraps the context of a call in an object, because a reference is cheaper to copy than an `any Sendable` value.
package final class BoxedCallContext: Sendable {
    package let value: any Sendable

    package init(_ value: any Sendable) {
        self.value = value
    }
}

/// Stores the cookies of a response.
package protocol CookieStore: AnyObject, Sendable {
    /// Stores the cookies of a response, except those that the server may not set.
    func store(_ head: ResponseHead, from url: URL)
}
