import MoyaStreams

/// The overloads of an operator: for two streams, for streams of several types, and for an array.
enum Way: CaseIterable {
    case two, many, array
}

/// An operator whose overloads behave equally.
enum CombinationRule {
    case zip, combineLatest

    func rows<Value: Sendable>(
        _ way: Way, _ a: Observable<Value>, _ b: Observable<Value>
    ) -> Observable<(Value, Value)> {
        switch (way, self) {
        case (.two, .zip): Observable.zip(a, b)
        case (.two, .combineLatest): Observable.combineLatest(a, b)
        case (.many, _): pack(a, b)
        case (.array, .zip): Observable.zip([a, b]).map { ($0[0], $0[1]) }
        case (.array, .combineLatest): Observable.combineLatest([a, b]).map { ($0[0], $0[1]) }
        }
    }

    /// Combines streams with a parameter pack, so that the overload for two streams is not used.
    private func pack<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable<(repeat each Value)> {
        switch self {
        case .zip: Observable.zip(repeat each streams)
        case .combineLatest: Observable.combineLatest(repeat each streams)
        }
    }
}
