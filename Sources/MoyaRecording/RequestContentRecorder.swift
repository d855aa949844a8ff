import Foundation
import MoyaHTTP

final class RequestContentRecorder: Sendable {
    private struct State: Sendable {
        var data = Data()
        var count = 0
        var hasEnded = false
    }

    private let body: RequestBody
    private let limit: Int
    private let state = Locked(State())

    init(_ body: RequestBody, limit: Int) {
        self.body = body
        self.limit = limit
    }

    /// A stream that has the same content and records all bytes read from it; `nil` if the content is not a stream.
    var observed: RequestBody? {
        guard case .stream(let length, let open) = body else { return nil }
        return .stream(length: length) { [self] resume in
            let reader = try open(resume)
            // Discards the earlier recording, because a transport opens the stream again only to repeat the request.
            state.withLock { $0 = State() }
            return RecordingBodyReader(reader: reader, content: self)
        }
    }

    // Called after the request was sent. Has no data if it exceeds the limit, or if a stream was not sent completely.
    func content(mimeType: String) -> HAR.Content? {
        let (data, count): (Data?, Int)
        switch body {
        case .none: return nil
        case .data(let content): (data, count) = (content, content.count)
        case .file(let file):
            count = Int(clamping: (try? body.length()) ?? 0)
            data = count <= limit ? (try? Data(contentsOf: file)) : nil
        case .stream(let length, _):
            let state = state.withLock { $0 }
            count = state.count
            data = state.hasEnded || length == Int64(count) ? state.data : nil
        }
        guard let data, count <= limit else { return HAR.Content(unrecorded: count, mimeType: mimeType) }
        return HAR.Content(data, mimeType: mimeType)
    }

    fileprivate func add(_ part: BodyPart) {
        state.withLock { state in
            switch part {
            case .data(let data):
                state.count += data.count
                if state.count <= limit { state.data += data } else { state.data = Data() }
            case .pending: break
            case .end: state.hasEnded = true
            }
        }
    }
}

private struct RecordingBodyReader: BodyReader {
    var reader: any BodyReader
    let content: RequestContentRecorder

    mutating func read(upTo count: Int) throws -> BodyPart {
        let part = try reader.read(upTo: count)
        content.add(part)
        return part
    }
}
