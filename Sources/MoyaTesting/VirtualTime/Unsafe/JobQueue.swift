import MoyaScheduling

/// A part of an async task that is ready to run.
///
/// SAFETY, for each `unsafe` in this file: a job is valid until it has run, and ``VirtualTime`` runs each job once. The
/// executor reference refers to the argument of `run(on:)`, and is used only during that call, which retains it.
struct Job: Sendable {
    private let job: UnownedJob

    init(_ job: consuming ExecutorJob) {
        self.job = UnownedJob(job)
    }

    func run(on time: VirtualTime) {
        unsafe job.runSynchronously(on: time.asUnownedTaskExecutor())
    }
}

struct JobQueue: Sendable {
    private var jobs: [Job] = []
    private var first = 0

    var isEmpty: Bool { jobs.isEmpty }

    mutating func append(_ job: Job) {
        jobs.append(job)
    }

    mutating func pop(_ generator: inout SeededGenerator?) -> Job? {
        guard first < jobs.count else { return nil }
        if generator != nil, let choice = generator.choose(jobs.indices[first...]) {
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
