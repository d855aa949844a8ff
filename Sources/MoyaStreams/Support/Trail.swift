/// The operators of a chain, as they were subscribed: kept in debug builds alone, for the report of an unhandled error.
@usableFromInline
struct Trail: Sendable {
    #if DEBUG
        private struct State: Sendable {
            var names: [StaticString] = []
            /// How many operators follow that another one is composed of.
            var hidden = 0
        }

        private static let limit = 16
        private let state = Slot(State())
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

    /// Leaves out the operators that are added next: another one is composed of them.
    func hide(_ count: Int) {
        #if DEBUG
            state.change { $0.hidden += count }
        #endif
    }

    /// From the source to the subscriber.
    var operators: [String] {
        #if DEBUG
            state.value.names.reversed().map(\.description)
        #else
            []
        #endif
    }
}

extension Observable {
    /// The same stream, under the name of the operator that it is the result of.
    ///
    /// - Parameters:
    ///   - count: how many operators that is composed of.
    ///   - name: the operator's.
    func named(hiding count: Int = 1, _ name: StaticString = #function) -> Observable {
        #if DEBUG
            Observable(
                isPrompt: isPrompt, name: name,
                run: { observer in
                    observer.lifetime.trail.hide(count)
                    run(observer)
                })
        #else
            self
        #endif
    }
}
