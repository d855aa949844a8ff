import Foundation
import MoyaScheduling

/// Waits until few file descriptors are open, before `Process.run()` of Foundation.
///
/// On Linux, `Process.run()` lists the descriptors and copies 256 bytes of each entry, beyond the end of its buffer of 32
/// KiB. With more than 1,365 descriptors, which tests that run at the same time can have, the copy may end the process.
package func waitForFewDescriptors() async throws {
    let isReached = Promise<Void>()
    @Sendable func look() {
        let count = (Int32(0)..<16_384).reduce(0) { $0 + (fcntl($1, F_GETFD) == -1 ? 0 : 1) }
        if count < 1000 { return isReached.fulfil(()) }
        (DispatchScheduler.background as any Scheduler).schedule(after: .milliseconds(50)) { look() }
    }
    look()
    try await isReached.value()
}
