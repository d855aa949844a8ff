/// The names of the operators of a chain, in the order of subscription, for the report of an unhandled error.
///
/// It is empty in release builds.
@usableFromInline
struct OperatorTrace: Sendable {
    #if DEBUG
        /// The recorded names of one chain, and how many of the next names are skipped.
        private struct Names: Sendable {
            var recorded: [StaticString] = []
            var skipCount = 0
        }

        private static let limit = 16
        private let names = LockedBox(Names())
    #endif

    @usableFromInline
    init() {}

    @usableFromInline
    func add(_ name: StaticString) {
        #if DEBUG
            names.change { names in
                if names.skipCount > 0 {
                    names.skipCount -= 1
                } else if names.recorded.count < Self.limit {
                    names.recorded.append(name)
                }
            }
        #endif
    }

    /// Omits the next `count` names: those of the operators that a composed operator consists of.
    func hide(_ count: Int) {
        #if DEBUG
            names.change { $0.skipCount += count }
        #endif
    }

    /// The names, from the source to the subscriber.
    var operators: [String] {
        #if DEBUG
            names.value.recorded.reversed().map(\.description)
        #else
            []
        #endif
    }
}

extension Observable {
    /// Returns this stream with one name in its trace, in place of the names of the operators that it is composed of.
    ///
    /// - Parameters:
    ///   - count: the number of operators that the stream is composed of.
    ///   - name: the name of the composed operator.
    func named(hiding count: Int = 1, _ name: StaticString = #function) -> Observable {
        #if DEBUG
            Observable(
                completesSynchronously: completesSynchronously, name: name,
                run: { observer in
                    observer.lifetime.trace.hide(count)
                    run(observer)
                })
        #else
            self
        #endif
    }
}
