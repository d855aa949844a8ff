import Foundation
import MoyaScheduling

/// Waits until few file descriptors are open, before `Process.run()` of Foundation.
///
/// On Linux, `Process.run()` lists the descriptors and copies 256 bytes of each entry, beyond the end of its buffer of
/// 32 KiB. With more than 1,365 descriptors, which tests that run at the same time can have, this may be a crash.
package func waitForFewDescriptors() async throws {
    let isReached = Promise<Void>()
    @Sendable func look() {
        var (count, descriptor) = (0, Int32(0))
        while count < 1000, descriptor < 16_384 {
            if fcntl(descriptor, F_GETFD) != -1 { count += 1 }
            descriptor += 1
        }
        if count < 1000 { return isReached.fulfill(()) }
        (DispatchScheduler.background as any Scheduler).schedule(after: .milliseconds(500)) { look() }
    }
    look()
    try await isReached.value()
}
