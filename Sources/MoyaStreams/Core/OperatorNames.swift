/// The names of the operators of a chain, for the description of an unhandled error; empty in release builds.
@usableFromInline
struct OperatorNames: Sendable {
    #if DEBUG
        private struct State: Sendable {
            var recorded: [StaticString] = []
            var skipCount = 0
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
                if state.skipCount > 0 {
                    state.skipCount -= 1
                } else if state.recorded.count < Self.limit {
                    state.recorded.append(name)
                }
            }
        #endif
    }

    /// Ignores the next `count` names that are added: the names of the operators inside a composed operator.
    func hide(_ count: Int) {
        #if DEBUG
            state.change { $0.skipCount += count }
        #endif
    }

    /// The names, from the source to the subscriber.
    ///
    /// They are recorded in the reverse order, because the subscriber subscribes to the last operator first.
    var fromSource: [String] {
        #if DEBUG
            state.value.recorded.reversed().map(\.description)
        #else
            []
        #endif
    }
}

extension Observable {
    /// Returns this stream with a single name, for an operator that is composed of other operators.
    ///
    /// - Parameters:
    ///   - count: the number of inner operators, whose names are hidden.
    ///   - name: the name of the composed operator.
    func named(hiding count: Int = 1, _ name: StaticString = #function) -> Observable {
        #if DEBUG
            Observable(
                completesSynchronously: completesSynchronously, name: name,
                run: { observer in
                    observer.lifetime.operatorNames.hide(count)
                    run(observer)
                })
        #else
            self
        #endif
    }
}
