import Foundation
import MoyaStreams
import MoyaTesting
import Testing

/// A chain of typed streams, as long as those of ``ChainTests``.
@Suite(.timeLimit(.minutes(10))) struct TypedChainTests {
    let time = VirtualTime()

    @Test func typedCallsMappedAndCombined() {
        let provider = MoyaProvider<Numbers>(
            baseURL: URL(string: "https://a.example"), stubClosure: MoyaProvider.immediatelyStub)
        let stream = Observable.zip(
            provider.requestValue(.number(2)).map { $0 * 2 }.flatMap { provider.requestValue(.number($0)) },
            provider.requestValue(.names)
        )
        .map { number, names in (number + 1, names.map { $0.uppercased() }) }
        .filter { number, names in number > 0 && !names.isEmpty }
        .flatMapLatest { number, names in provider.requestValue(.number(number)).map { "\(names[0])\($0)" } }
        .concat(provider.pages(.names, next: .numbered { _ in .names }).all.map { "\($0.value.count)" }.take(1))
        .retry(times: 2)
        .distinctUntilChanged()
        #expect(time.play(stream) == "({A1}{1}|)")
    }
}

/// Targets whose responses are numbers and names.
private enum Numbers: RelativeTarget {
    case number(Int)
    case names

    var path: String { "/" }
    var sampleData: Data { if case .names = self { Data(#"["a"]"#.utf8) } else { Data("1".utf8) } }
}

extension TypedTarget<Numbers, Int> {
    fileprivate static func number(_ number: Int) -> Self { Self(.number(number)) }
}

extension TypedTarget<Numbers, [String]> {
    fileprivate static var names: Self { Self(.names) }
}
