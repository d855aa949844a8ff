package struct Weak<Object: AnyObject & Sendable>: Sendable {
    package weak var object: Object?

    package init(_ object: Object? = nil) {
        self.object = object
    }
}
