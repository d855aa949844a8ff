/// A reference that keeps nothing.
struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak var object: Object?

    init(_ object: Object? = nil) {
        self.object = object
    }
}
