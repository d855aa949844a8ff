import Foundation
import MoyaHTTP

enum SecretEncodings {
    /// Returns the encodings that are replaced: those of URLs, JSON, HTML and base64.
    static func replaced(_ secret: String) -> [String] {
        let encoded = secret.percentEncoded(allowing: .segment)
        let fullyEncoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? encoded
        let json = String(decoding: (try? JSONEncoder().encode(secret)) ?? Data(), as: UTF8.self).dropFirst().dropLast()
        let html = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        let base64 = base64Forms(Data(secret.utf8))
        let texts = [
            secret, encoded, encoded.withLowercasedEscapes, fullyEncoded, fullyEncoded.withLowercasedEscapes,
            encoded.replacing("%20", with: "+"), String(json),
            String(json).replacing("\\/", with: "/"), html,
            html.replacing("\"", with: "&quot;").replacing("'", with: "&#39;"),
            html.replacing("\"", with: "&quot;").replacing("'", with: "&apos;"),
            html.replacing("\"", with: "&#34;").replacing("'", with: "&#x27;"),
        ]
        let unpadded = base64.map { $0.replacing("=", with: "") }
        return Set(texts + base64 + unpadded).filter { !$0.isEmpty }.sorted()
    }

    /// Hexadecimal digits, and base64 of text around the secret, which depends on the offset in groups of three bytes.
    static func refused(_ secret: String) -> [String] {
        let bytes = Array(secret.utf8)
        let base64 = (0..<3).flatMap { offset in
            let length = (bytes.count - offset) / 3 * 3
            return length < 6 ? [] : base64Forms(Data(bytes[offset..<offset + length]))
        }
        return Set(base64 + [bytes.hexadecimal, bytes.hexadecimal.uppercased()]).sorted()
    }

    private static func base64Forms(_ data: Data) -> [String] {
        let base64 = data.base64EncodedString()
        return [base64, base64.replacing("+", with: "-").replacing("/", with: "_")]
    }
}

extension String {
    fileprivate var withLowercasedEscapes: String { replacing(/%../) { $0.output.lowercased() } }
}
