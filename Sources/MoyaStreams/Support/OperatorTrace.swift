/// The names of the operators of a chain, in the order of subscription, for the report of an unhandled error.
///
/// It is empty in release builds.
@usableFromInline
struct OperatorTrace: Sendable {
    #if DEBUG
        private struct State: Sendable {
            var names: [StaticString] = []
            /// How many of the names that follow are omitted.
            var hidden = 0
        }

        private static let limit = 16
        private let state = LockedBox(State())
    #endif

    @usableFromInline
    init() {}

    @usableFromInline
    func add(_ name: StaticString) {
        #if DEBUG
            state.change { state in
                if state.hidden > 0 {
                    state.hidden -= 1
                } else if state.names.count < Self.limit {
                    state.names.append(name)
                }
            }
        #endif
    }

    /// Omits the next `count` names: those of the operators that a composed operator consists of.
    func hide(_ count: Int) {
        #if DEBUG
            state.change { $0.hidden += count }
        #endif
    }

    /// The names, from the source to the subscriber.
    var operators: [String] {
        #if DEBUG
            state.value.names.reversed().map(\.description)
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
