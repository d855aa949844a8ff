#if os(Linux)
    import CMoyaCurl

    /// A content coding that `CurlTransport` decodes (RFC 9110, section 8.4.1).
    enum ContentCoding: String, CaseIterable, Sendable {
        case deflate, gzip
        case brotli = "br"
        case zstd

        static let supported = allCases.filter { cdecode_is_supported($0.identifier) != 0 }

        static let acceptEncoding = supported.isEmpty ? nil : supported.map(\.rawValue).joined(separator: ", ")

        private static let maximumCodings = 5

        /// The codings in `Content-Encoding` in the order of decoding, the last one first; `nil` if one of them is not
        /// supported, or if there are too many.
        static func codings(in field: String) -> [ContentCoding]? {
            let names = field.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
                .filter { $0 != "identity" && $0 != "none" }
            guard names.count <= maximumCodings else { return nil }
            let codings = names.compactMap { name in
                supported.first { $0.rawValue == (name == "x-gzip" ? "gzip" : name) }
            }
            return codings.count == names.count ? codings.reversed() : nil
        }

        fileprivate var identifier: Int32 {
            switch self {
            case .deflate: Int32(CDECODE_DEFLATE)
            case .gzip: Int32(CDECODE_GZIP)
            case .brotli: Int32(CDECODE_BROTLI)
            case .zstd: Int32(CDECODE_ZSTD)
            }
        }
    }

    /// Decodes content in one coding, piece by piece, on one thread only.
    ///
    /// SAFETY, for every `unsafe` in this file: `raw` and `buffer` are valid from `init` to `deinit`. The coding is
    /// supported, so its library is loaded. `cdecode_run` reads and writes within the lengths that it receives.
    @safe
    final class ContentDecoder {
        private static let capacity = 32 << 10

        private let raw: UnsafeMutableRawPointer
        private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ContentDecoder.capacity)
        private let mayContinue: Bool
        private(set) var hasEnded = false

        init?(_ coding: ContentCoding) {
            guard let raw = unsafe cdecode_create(coding.identifier) else {
                unsafe buffer.deallocate()
                return nil
            }
            unsafe self.raw = raw
            // RFC 8878, section 3.1: further frames may follow the end of a frame.
            mayContinue = coding == .zstd
        }

        deinit {
            unsafe cdecode_destroy(raw)
            unsafe buffer.deallocate()
        }

        /// The decoded bytes that were not taken yet.
        private var decoded = 0..<0
        /// Whether the decoder may have more output without further input, because it has filled the buffer.
        private(set) var hasMore = false

        var output: UnsafeRawBufferPointer {
            unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[decoded])
        }

        func take(_ count: Int) { decoded = decoded.dropFirst(count) }

        // Decodes until the buffer, which must be empty, is full, or all content was read. Returns how many bytes were
        // read; `nil` for invalid content or bytes after its end.
        func run(_ content: UnsafeRawBufferPointer) -> Int? {
            if unsafe hasEnded && content.isEmpty { return 0 }
            guard !hasEnded || mayContinue else { return nil }
            let bytes = unsafe content.assumingMemoryBound(to: UInt8.self)
            var (read, written) = (0, 0)
            let code = unsafe cdecode_run(
                raw, bytes.baseAddress, content.count, &read, buffer.baseAddress, Self.capacity, &written)
            guard unsafe code != CDECODE_FAILED && (read > 0 || written > 0 || content.isEmpty) else { return nil }
            hasEnded = code == CDECODE_ENDED
            hasMore = !hasEnded && written == Self.capacity
            decoded = 0..<written
            return read
        }
    }
#endif
