#if !canImport(FoundationNetworking)
    import Foundation

    // SAFETY, for every `unsafe` in this file: the pointers are valid during the calls that receive them, and the
    // passed length is that of the buffer.
    extension RequestBodyPump {
        // Passes a stream of the content to `open`, or `nil` after an error. If the content fails, `fail` must cancel
        // the task of the request: the end of the stream would look like the end of the content.
        func stream(
            _ body: RequestBody, _ open: @escaping @Sendable (InputStream?) -> Void,
            fail: @escaping @Sendable (any Error) -> Void
        ) {
            Thread.detachNewThread { [self] in
                var (input, output): (InputStream?, OutputStream?) = (nil, nil)
                unsafe Stream.getBoundStreams(
                    withBufferSize: Self.bufferSize, inputStream: &input, outputStream: &output)
                open(input)
                guard let output else { return fail(URLError(.requestBodyStreamExhausted)) }
                output.open()
                do {
                    try read(body) { data in guard output.write(all: data) else { throw StreamClosed() } }
                } catch is StreamClosed {
                    // The request has ended.
                } catch {
                    if !isCancelled { fail(error) }
                    waitUntilCancelled()
                }
                output.close()
            }
        }
    }

    private struct StreamClosed: Error {}

    extension OutputStream {
        /// Writes all bytes, and blocks while the stream is full; returns `false` if the stream was closed.
        fileprivate func write(all data: Data) -> Bool {
            var rest = data[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { bytes in
                    unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
                        .map { unsafe write($0, maxLength: bytes.count) } ?? 0
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
#endif
