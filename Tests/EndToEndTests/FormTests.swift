import Foundation
import MoyaStreams
import TestSupport
import Testing

/// Multipart forms, which a third-party server parses.
@Suite(.enabled(if: address("MOYA_FORMS") != nil), .queued, .timeLimit(.minutes(10)))
struct FormTests {
    private struct Form: RelativeTarget {
        let path = "/"
        let method = HTTPMethod.post
        let task: RequestTask
    }

    private struct Part: Decodable, Equatable {
        var name: String
        var fileName: String?
        var type: String?
        var content: Data
    }

    /// Returns a name as the parser returns it, which does not decode escaped line breaks.
    private func written(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(scalar)
            }
        }.joined()
    }

    @Test("random names and contents come back from a parser", arguments: TransportKind.allCases)
    func roundTrip(_ kind: TransportKind) async throws {
        let provider = try kind.provider("MOYA_FORMS")
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("abcXYZ019 .,;:_-+=()[]{}<>@!#$&*?/|~^`'\"\r\né漢😀")
        func text(_ length: ClosedRange<Int>) -> String {
            "n"
                + String(
                    (0..<Int.random(in: length, using: &generator)).compactMap { _ in
                        alphabet.randomElement(using: &generator)
                    }) + "e"
        }
        for _ in 0..<50 {
            let parts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                let content = Data(
                    (0..<Int.random(in: 0...3000, using: &generator)).map { _ in
                        UInt8.random(in: 0...255, using: &generator)
                    })
                return MultipartFormBodyPart(
                    provider: .data(content), name: text(0...12), fileName: text(0...12) + ".bin",
                    mimeType: "application/x-test")
            }
            let response = try await provider.response(
                Form(task: .uploadMultipartFormData(MultipartFormData(parts: parts))))
            let decoder = JSONDecoder()
            decoder.dataDecodingStrategy = .base64
            let received = try response.filterSuccessfulStatusCodes().map([Part].self, using: decoder)
            let sent = try parts.map { part in
                guard case .data(let content) = part.provider else { throw URLError(.unknown) }
                return Part(
                    name: written(part.name), fileName: part.fileName.map(written), type: part.mimeType,
                    content: content)
            }
            // The parser groups the parts by their names.
            let key = { (part: Part) in "\(part.name) \(part.fileName ?? "")" }
            expectEqual(received.sorted { key($0) < key($1) }, sent.sorted { key($0) < key($1) })
        }
    }
}
