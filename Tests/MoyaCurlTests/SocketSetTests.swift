#if os(Linux)
    import CMoyaCurl
    import Foundation
    import TestSupport
    import Testing

    @testable import MoyaCurl

    @Suite(.queued, .timeLimit(.minutes(10))) struct SocketSetTests {
        // So it is while a connection is being reset. libcurl repeats a request only if reading has failed.
        @Test("a socket of which only an error is reported is readable")
        func errorAlone() throws {
            let pipe = Pipe()
            let writer = pipe.fileHandleForWriting.fileDescriptor
            let sockets = SocketSet(try FileHandle(cepoll_create(), of: "epoll_create1"))
            sockets.opened(writer)
            sockets.watch(writer, reading: true, writing: false)
            try pipe.fileHandleForReading.close()
            var ready: [Int32] = []
            sockets.wait(10_000) { if $0.can_read != 0 { ready.append($0.descriptor) } }
            expectEqual(ready, [writer])
        }
    }
#endif
