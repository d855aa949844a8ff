import AsyncAlgorithms
import Dispatch
import Foundation
import Measuring
import Moya
import MoyaStreams
import OpenCombine
import OpenCombineDispatch

extension StreamWorkloads {
    static var observeOn: Workload {
        Workload(
            name: "observe(on: serial queue)", operations: count,
            contenders: [
                floor(observe),
                .init(name: "ours") {
                    let sum = Sum()
                    let done = DispatchSemaphore(value: 0)
                    opaque(Observable.from(0..<count)).observe(on: .serial(label: "benchmark"))
                        .subscribe(onNext: { sum.add($0) }, onCompleted: { done.signal() })
                    done.wait()
                    return sum.value
                },
                .init(name: "OpenCombine") {
                    let sum = Sum()
                    let done = DispatchSemaphore(value: 0)
                    let queue = DispatchQueue(label: "benchmark")
                    let token = opaque(numbers(0..<count)).receive(on: queue.ocombine)
                        .sink(receiveCompletion: { _ in done.signal() }, receiveValue: { sum.add($0) })
                    done.wait()
                    token.cancel()
                    // Waits for the work of this contender, so that it does not run during the next one.
                    queue.sync {}
                    return sum.value
                },
            ],
            bars: [.atLeast(5, timesFasterThan: "OpenCombine")], mallocs: 0)
    }

    static var producerFirst: Workload {
        Workload(
            name: "values, producer first", operations: count,
            contenders: [
                floor(observe),
                .init(name: "ours") {
                    var sum = 0
                    do { for try await element in opaque(Observable.from(0..<count)).values { sum &+= element } } catch
                    {}
                    return sum
                },
                .init(name: "AsyncStream") {
                    var sum = 0
                    for await element in asyncNumbers(count) { sum &+= element }
                    return sum
                },
            ],
            bars: [.atLeast(20, timesFasterThan: "AsyncStream")], mallocs: 0)
    }

    static var twoThreads: Workload {
        Workload(
            name: "values, two threads", operations: count,
            contenders: [
                floor(observe),
                .init(name: "ours") {
                    let (signal, emitter) = Signal<Int>.pipe()
                    var iterator = signal.values.makeAsyncIterator()
                    Thread.detachNewThread {
                        for element in 0..<count { emitter.send(element) }
                        emitter.complete()
                    }
                    var sum = 0
                    do { while let element = try await iterator.next() { sum &+= element } } catch {}
                    return sum
                },
                .init(name: "AsyncStream") {
                    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                    Thread.detachNewThread {
                        for element in 0..<count { continuation.yield(element) }
                        continuation.finish()
                    }
                    var sum = 0
                    for await element in stream { sum &+= element }
                    return sum
                },
            ],
            // A waiting consumer allocates.
            bars: [.atLeast(8, timesFasterThan: "AsyncStream")], mallocs: 0.1)
    }

    static var subscribeAndCancel: Workload {
        let times = count / 20
        return Workload(
            name: "subscribe and cancel, 4 operators", operations: times,
            contenders: [
                .init(name: "ours") {
                    let (signal, _) = Signal<Int>.pipe()
                    let chain = opaque(signal.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &* 2 }.filter { $0 < 9 })
                    for _ in 0..<times { chain.subscribeNext { _ in }.cancel() }
                    return 0
                },
                .init(name: "OpenCombine") {
                    let subject = PassthroughSubject<Int, Never>()
                    let chain = opaque(subject.map { $0 &+ 1 }.filter { $0 > 0 }.map { $0 &* 2 }.filter { $0 < 9 })
                    for _ in 0..<times { chain.sink { _ in }.cancel() }
                    return 0
                },
            ],
            bars: [.atLeast(3.5, timesFasterThan: "OpenCombine")], mallocs: 9)
    }
}
