import Foundation
import Moya

/// A body reader that provides data, to send a streamed body that was already read.
struct DataBodyReader: BodyReader {
    var data: Data

    mutating func read(upTo count: Int) -> BodyPart {
        guard !data.isEmpty else { return .end }
        defer { data = data.dropFirst(count) }
        return .data(data.prefix(count))
    }
}
