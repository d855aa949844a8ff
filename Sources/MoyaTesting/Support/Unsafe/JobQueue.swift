import MoyaScheduling

/// A piece of async code that is ready to run.
///
/// SAFETY, for every mark in this file: the runtime keeps a job, which it handed over once, valid until it has run;
/// ``VirtualTime`` takes each out of its queue once. The executor reference is only used while the clock that it stands
/// for is alive: it is passed in for the call.
struct Job: Sendable {
    private let job: UnownedJob

    init(_ job: consuming ExecutorJob) {
        self.job = UnownedJob(job)
    }

    func run(on time: VirtualTime) {
        unsafe job.runSynchronously(on: time.asUnownedTaskExecutor())
    }
}

/// Async code that is ready to run, first in, first out, or, with a generator, in any order.
struct JobQueue: Sendable {
    private var jobs: [Job] = []
    private var first = 0

    var isEmpty: Bool { jobs.isEmpty }

    mutating func append(_ job: Job) {
        jobs.append(job)
    }

    mutating func pop(_ generator: inout SeededGenerator?) -> Job? {
        guard first < jobs.count else { return nil }
        if generator != nil, let choice = generator.choose(Array(jobs.indices[first...])) {
            jobs.swapAt(first, choice)
        }
        defer {
            first += 1
            if first == jobs.count {
                jobs.removeAll(keepingCapacity: true)
                first = 0
            }
        }
        return jobs[first]
    }
}
