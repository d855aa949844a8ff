#if os(Linux)
    import Foundation
    import MoyaScheduling
    import TestSupport
    import Testing

    @testable import MoyaTesting

    @Suite(.queued, .timeLimit(.minutes(10))) struct SocketTests {
        @Test("a signal does not end a wait for silence")
        func isInterrupted() throws {
            // The default action of the signal would end the process.
            _ = signal(SIGUSR2) { _ in }
            let (socket, _) = try Socket.listening()
            let waiting = Box<pthread_t?>(nil)
            let isQuiet = Box<Bool?>(nil)
            let isDone = NSCondition()
            Thread.detachNewThread {
                // Threads of tests inherit a mask that blocks signals.
                var mask = sigset_t()
                unsafe _ = sigemptyset(&mask)
                unsafe _ = sigaddset(&mask, SIGUSR2)
                unsafe _ = pthread_sigmask(SIG_UNBLOCK, &mask, nil)
                waiting.value = pthread_self()
                isQuiet.value = socket.isQuiet(for: .milliseconds(300))
                // The thread must not end while it is sent a signal.
                isDone.lock()
                waiting.value = nil
                isDone.unlock()
            }
            while isQuiet.value == nil {
                isDone.lock()
                if let thread = waiting.value { _ = pthread_kill(thread, SIGUSR2) }
                isDone.unlock()
            }
            #expect(isQuiet.value == true)
        }
    }
#endif
