import Foundation
import Moya
import MoyaScheduling

actor RequestBodyCollector {
    /// Runs the reading, also if the request is cancelled elsewhere.
    let clock = CurrentVirtualClock.current
    private var reader: (any BodyReader)?
    private var data = Data()
    private var completion: (@Sendable (Result<Data, any Error>) -> Void)?

    init(_ completion: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        self.completion = completion
    }

    func start(_ body: RequestBody) {
        do {
            reader = try body.open { [weak self, clock] in
                guard let self else { return }
                Task(executorPreference: clock) { await self.read() }
            }
        } catch {
            return finish(.failure(error))
        }
        read()
    }

    func cancel() {
        reader = nil
        completion = nil
    }

    private func read() {
        guard var reader = self.reader.take() else { return }
        do {
            while true {
                switch try reader.read(upTo: 64 << 10) {
                case .data(let part): data += part
                case .pending: return self.reader = reader
                case .end: return finish(.success(data))
                }
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<Data, any Error>) {
        let completion = self.completion.take()
        reader = nil
        completion?(result)
    }
}
