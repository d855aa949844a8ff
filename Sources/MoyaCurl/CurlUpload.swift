#if os(Linux)
    import CMoyaCurl
    import Foundation

    struct CurlUpload {
        private(set) var bytesSent: Int64 = 0
        private(set) var error: (any Error)?
        /// Whether the last read found no bytes, and did not find the end.
        private(set) var isPending = false
        /// Whether the content has an end that libcurl has not read yet.
        var isUnsent: Bool { reader != nil && !hasEnded && bytesSent != length }
        private var hasEnded = false
        /// Whether the declared length is 0, and the reader has not ended yet; the request must wait.
        private(set) var isAwaitingEnd = false
        /// The declared length of the content; `nil` if it is sent in chunks.
        private var length: Int64?
        private var reader: (any BodyReader)?
        /// The data that was read, and is sent before what follows it.
        private var held: Data?
        private var wasHeld = false

        mutating func open(_ body: RequestBody, resume: @escaping @Sendable () -> Void) throws -> Int64? {
            length = try body.length()
            rewind(body, resume: resume)
            try awaitEnd()
            return length
        }

        // libcurl reads nothing if the declared length is 0. This read fails if the content is not empty.
        mutating func awaitEnd() throws {
            isAwaitingEnd = if length == 0, case .pending? = read(upTo: 1) { true } else { false }
            if let error { throw URLError.unreadableContent(error) }
        }

        @discardableResult
        mutating func rewind(_ body: RequestBody, resume: @escaping @Sendable () -> Void) -> Bool {
            (bytesSent, held, hasEnded, isPending) = (0, nil, false, false)
            do {
                reader = try body.open(checking: length, resume: resume)
                return true
            } catch {
                self.error = error
                return false
            }
        }

        /// Returns `nil` after a failure, whose reason is `error`.
        mutating func read(upTo count: Int) -> BodyPart? {
            isPending = false
            wasHeld = held != nil
            do {
                let part = try held.map { BodyPart.data($0.prefix(count)) } ?? reader?.read(upTo: count)
                held = held.flatMap { $0.count > count ? $0.dropFirst(count) : nil }
                switch part {
                case .data(let data):
                    guard !data.isEmpty, data.count <= count else {
                        throw URLError(
                            .requestBodyStreamExhausted,
                            "a reader returned \(data.count) bytes where 1 to \(count) were requested")
                    }
                    bytesSent += Int64(data.count)
                case .pending: isPending = true
                case .end: hasEnded = true
                case nil: break
                }
                return part
            } catch {
                self.error = error
                return nil
            }
        }

        /// Keeps the data that was read last for a later read; returns `false` if it was kept before.
        mutating func hold(_ data: Data) -> Bool {
            guard !wasHeld else { return false }
            bytesSent -= Int64(data.count)
            held = data
            return true
        }
    }
#endif
