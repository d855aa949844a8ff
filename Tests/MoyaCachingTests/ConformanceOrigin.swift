import Foundation
import Moya
import MoyaScheduling
import TestSupport

@testable import MoyaCaching

/// A server that responds as the data of one conformance test says.
final class ConformanceOrigin: Transport {
    struct Arrival: Sendable {
        let number: Int
        let method: HTTPMethod
        let headers: HTTPHeaders
        /// The fields of the response that the client must receive.
        let checked: HTTPHeaders
    }

    static let content = "f3b8c9d2-0a1e-4c57-9b66-2d40e1c7a851"
    static let statusCodesWithoutContent: Set<Int> = [204, 205, 304]

    private let requests: [JSONValue]
    private let now: @Sendable () -> Date
    private let state = Locked<[Arrival]>([])
    /// The times at which the requests arrived, by number.
    private let times = Locked<[Int: Double]>([:])

    init(_ requests: [JSONValue], now: @escaping @Sendable () -> Date) {
        self.requests = requests
        self.now = now
    }

    var arrivals: [Arrival] { state.withLock { $0 } }

    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let number = request.headers["Req-Num"].flatMap { Int($0) } ?? 0
        let config = requests[number - 1]
        let (headers, checked) = fields(config, request, number)
        let count = state.withLock { state in
            state.append(Arrival(number: number, method: request.method, headers: request.headers, checked: checked))
            return state.count
        }
        guard config["disconnect"]?.bool != true else {
            receive(TransportEvents(outcome: TransportOutcome(error: URLError(.networkConnectionLost))))
            return FinishedExchange()
        }
        let statusCode = statusCode(config, request, number)
        var fields: HTTPHeaders = headers
        fields.add("Server-Request-Count", String(count))
        fields.add("Request-Numbers", arrivals.map { String($0.number) }.joined(separator: " "))
        var content = Data((config["response_body"]?.string ?? Self.content).utf8)
        if let length = fields["Content-Length"].flatMap({ Int($0) }) { content = content.prefix(length) }
        let isEmpty = Self.statusCodesWithoutContent.contains(statusCode) || request.method == .head
        receive(
            TransportEvents(
                head: ResponseHead(statusCode: statusCode, version: "HTTP/1.1", headers: fields),
                chunks: isEmpty ? [] : [content], outcome: TransportOutcome(error: nil)))
        return FinishedExchange()
    }

    private func statusCode(_ config: JSONValue, _ request: TransportRequest, _ number: Int) -> Int {
        guard config["expected_type"]?.string?.hasSuffix("validated") == true else {
            return config["response_status"]?[0]?.int ?? 200
        }
        let fields = number > 1 ? ConformanceField.all(requests[number - 2]["response_headers"]) : []
        let base = times.withLock { $0[number - 1] ?? 0 }
        for (name, condition) in [("Last-Modified", "If-Modified-Since"), ("ETag", "If-None-Match")] {
            guard let field = fields.first(where: { $0.name.lowercased() == name.lowercased() }) else { continue }
            if request.headers[condition] == field.text(relativeTo: base) { return 304 }
        }
        return 999
    }

    private func fields(_ config: JSONValue, _ request: TransportRequest, _ number: Int) -> (HTTPHeaders, HTTPHeaders) {
        let base = now().timeIntervalSince1970
        times.withLock { $0[number] = base }
        var headers: HTTPHeaders = [
            "Server-Base-Url": request.url.path, "Client-Request-Count": String(number),
            "Server-Now": String(Int(base * 1000)),
        ]
        var checked: HTTPHeaders = [:]
        for field in ConformanceField.all(config["response_headers"]) {
            var text = field.text(relativeTo: base, config)
            if config["magic_locations"]?.bool == true,
                ["location", "content-location"].contains(field.name.lowercased())
            {
                text = text.isEmpty ? request.url.path : "\(request.url.path)/\(text)"
            }
            headers.add(field.name, text)
            if field.isChecked { checked.add(field.name, text) }
        }
        if headers["Date"] == nil { headers.add("Date", ConformanceField.date(base)) }
        if headers["Content-Type"] == nil { headers.add("Content-Type", "text/plain") }
        return (headers, checked)
    }
}

/// A header field in the data of a conformance test.
struct ConformanceField {
    let name: String
    private let value: JSONValue
    let isChecked: Bool

    static func all(_ list: JSONValue?) -> [ConformanceField] {
        (list?.array ?? []).compactMap { field in
            guard let name = field[0]?.string, let value = field[1] else { return nil }
            return ConformanceField(name: name, value: value, isChecked: field[2]?.bool ?? true)
        }
    }

    private static let dateNames = ["date", "expires", "last-modified", "if-modified-since", "if-unmodified-since"]

    func text(relativeTo base: Double, _ config: JSONValue = .null) -> String {
        guard let seconds = value.int, Self.dateNames.contains(name.lowercased()) else {
            return value.string ?? value.int.map { String($0) } ?? ""
        }
        let old = config["rfc850date"]?.array?.contains(.string(name.lowercased())) == true
        return Self.date(
            base + Double(seconds), old ? "EEEE, dd-MMM-yy HH:mm:ss 'GMT'" : "EEE, dd MMM yyyy HH:mm:ss 'GMT'")
    }

    static func date(_ time: Double, _ format: String = "EEE, dd MMM yyyy HH:mm:ss 'GMT'") -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: time.rounded(.down)))
    }
}
