/// The operators of a chain, as they were subscribed: kept in debug builds alone, for the report of an unhandled error.
@usableFromInline
struct Trail: Sendable {
    #if DEBUG
        private static let limit = 16
        private let names = Slot<[StaticString]>([])
    #endif

    @usableFromInline
    init() {}

    @usableFromInline
    func add(_ name: StaticString) {
        #if DEBUG
            names.change { if $0.count < Self.limit { $0.append(name) } }
        #endif
    }

    /// From the source to the subscriber.
    var operators: [String] {
        #if DEBUG
            names.value.reversed().map(\.description)
        #else
            []
        #endif
    }
}
