import Moya
import MoyaStreams
import MoyaTesting
import Testing

/// Long chains of closures without type annotations.
///
/// If the type checker takes two seconds for one function, the compiler warns, and CI fails.
@Suite(.timeLimit(.minutes(10))) struct ChainTests {
    let time = VirtualTime()

    @Test func tenTransformations() {
        let stream = Observable.from(1...20)
            .map { $0 * 3 }
            .filter { $0 % 2 == 0 }
            .scan(0, +)
            .map { "\($0)" }
            .flatMap { Observable.of($0, $0 + "!") }
            .filter { $0.count < 4 }
            .distinctUntilChanged()
            .map { $0.count }
            .take(while: { $0 < 9 })
            .reduce(0) { $0 + $1 }
        #expect(time.play(stream.map(String.init)) == "({38}|)")
    }

    @Test func tenOfUnlikeKinds() {
        let time = time
        let stream = time.cold("a-b-c|")
            .debounce(for: .milliseconds(1), on: time)
            .flatMapLatest { text in time.cold("-x|").map { text + $0 } }
            .startWith("s")
            .retry(times: 2)
            .handleEvents(onNext: { _ in })
            .catch { _ in .just("e") }
            .observe(on: time)
            .withLatestFrom(Observable.just(1))
            .map { text, number in "\(text)\(number)" }
            .timeout(after: .seconds(1), on: time)
        #expect(time.play(stream) == "{s1}-{ax1}-{bx1}-{cx1}|")
    }

    @Test func responsesMappedAndCombined() {
        struct User: Decodable, Sendable {
            let name: String
        }
        let response = Observable<Response>.error(StreamError.noElements)
        let name = response.filterSuccessfulStatusCodes().map(User.self).map { $0.name }
        let size = response.filter(statusCodes: 200..<300).mapString().map { $0.count }.catchAndReturn(0)
        let stream = Observable.zip(name, size)
            .map { name, count in (name.uppercased(), count + 1) }
            .filter { $1 > 0 }
            .compactMap { name, count in count > 1 ? name : nil }
            .concatMap { Observable.just($0) }
            .skip(while: { $0.isEmpty })
            .mapError { $0 }
            .asResults()
            .map { result in (try? result.get()) ?? "failed" }
            .filter { $0.count > 1 }
            .take(3)
        #expect(time.play(stream) == "({failed}|)")
    }
}
