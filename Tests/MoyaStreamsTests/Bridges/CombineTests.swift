#if canImport(Combine)
    import Combine
    import CombineMoya
    import MoyaStreams
    import TestSupport
    import Testing

    @Suite struct CombineTests {
        @Test func aStreamAsAPublisher() {
            let log = Log()
            let token = Observable.of(1, 2).publisher().sink(
                receiveCompletion: { log.add("\($0)") }, receiveValue: { log.add("\($0)") })
            #expect(log.entries == ["1", "2", "finished"])
            token.cancel()
        }

        @Test func cancellingThePublisherCancelsTheStream() {
            let cancelled = Box(false)
            let token = Observable<Int>.never().handleEvents(onCancel: { cancelled.value = true }).publisher()
                .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            token.cancel()
            #expect(cancelled.value)
        }

        @Test func aPublisherAsAStream() {
            let log = Log()
            [1, 2].publisher.asObservable().subscribe(
                onNext: { log.add("\($0)") }, onCompleted: { log.add("completed") })
            #expect(log.entries == ["1", "2", "completed"])
        }
    }
#endif
