import Foundation
import Moya
import MoyaTesting

@testable import MoyaCaching

/// One conformance test: a list of requests, with the expected properties of their responses.
struct ConformanceCase {
    let id: String
    let kind: String
    private let suite: String
    private let requests: [JSONValue]
    private let isForSharedCaches: Bool

    private static let sharedOnly: Set<String> = [
        "cc-resp-private-shared", "stale-close-proxy-revalidate", "stale-close-s-maxage=2",
    ]

    init(_ data: JSONValue, suite: String) {
        id = data["id"]?.string ?? ""
        kind = data["kind"]?.string ?? "required"
        self.suite = suite
        requests = data["requests"]?.array ?? []
        isForSharedCaches =
            data["cdn_only"]?.bool == true || Self.sharedOnly.contains(id) || id.contains("s-maxage-shared")
            || id.hasPrefix("other-authorization")
    }

    var appliesToPrivateCaches: Bool { !isForSharedCaches && suite != "interim" }

    /// Sends the requests; returns a description of the first failure, or `nil`.
    func failure(in cache: HTTPCache = HTTPCache()) throws -> String? {
        let time = VirtualTime()
        let now: @Sendable () -> Date = {
            Date(timeIntervalSince1970: 1_780_000_000 + Double(time.elapsed / .seconds(1)))
        }
        let origin = ConformanceOrigin(requests, now: now)
        var policy = CachingPolicy()
        policy.heuristic = 0.1
        let transport = origin.caching(in: cache, policy: policy, scheduler: time, now: now)
        var responses: [CollectedResponse] = []
        for (index, config) in requests.enumerated() {
            let response = transport.collect(try request(index, config, after: responses.last))
            responses.append(response)
            if let failure = failure(index + 1, config, response) { return failure }
            if config["pause_after"]?.bool == true { time.advance(by: .seconds(3)) }
        }
        return arrivalFailure(origin.arrivals, responses)
    }

    private func request(_ index: Int, _ config: JSONValue, after previous: CollectedResponse?) throws
        -> TransportRequest
    {
        var headers: HTTPHeaders = ["Test-ID": id, "Req-Num": String(index + 1)]
        let base = previous?.headers["Server-Now"].flatMap { Double($0) }.map { $0 / 1000 } ?? 0
        for field in ConformanceField.all(config["request_headers"]) {
            headers.add(field.name, field.text(relativeTo: base, config).trimmingCharacters(in: .whitespaces))
        }
        if config["cache"]?.string == "no-cache" { headers.add("Cache-Control", "max-age=0") }
        var path = "http://cache.test/test/\(ConformanceOrigin.content)"
        if let name = config["filename"]?.string { path += "/\(name)" }
        if let query = config["query_arg"]?.string { path += "?\(query)" }
        let body = config["request_body"]?.string.map { RequestBody.data(Data($0.utf8)) } ?? .none
        guard let url = URL(string: path) else { throw URLError(.badURL) }
        return try TransportRequest(
            method: HTTPMethod(rawValue: config["request_method"]?.string ?? "GET"), url: url, headers: headers,
            body: body)
    }

    private func failure(_ number: Int, _ config: JSONValue, _ response: CollectedResponse) -> String? {
        guard let statusCode = response.statusCode else {
            let isExpected = config["disconnect"]?.bool == true && config["expected_type"] == nil
            return isExpected ? nil : "request \(number) failed"
        }
        let numbers = response.headers["Request-Numbers"]?.split(separator: " ") ?? []
        if numbers.count != Set(numbers).count { return "request \(number) was repeated" }
        let count = response.headers["Server-Request-Count"].flatMap { Int($0) }
        switch config["expected_type"]?.string {
        case "cached" where !(statusCode == 304 && count == nil) && !((count ?? .max) < number):
            return "response \(number) does not come from the cache"
        case "not_cached" where count != number: return "response \(number) comes from the cache"
        default: break
        }
        let expected =
            config["expected_status"].map { $0.int } ?? config["response_status"]?[0]?.int ?? 200
        if let expected, expected != statusCode {
            return "status \(statusCode) of response \(number) is not \(expected)"
        }
        return headerFailure(number, config, response) ?? contentFailure(number, config, response, statusCode)
    }

    private func headerFailure(_ number: Int, _ config: JSONValue, _ response: CollectedResponse) -> String? {
        let base = response.headers["Server-Now"].flatMap { Double($0) }.map { $0 / 1000 } ?? 0
        for expected in config["expected_response_headers"]?.array ?? [] {
            let name = expected.string ?? expected[0]?.string ?? ""
            guard let value = response.headers[name] else { return "response \(number) has no \(name)" }
            guard let field = ConformanceField.all(.array([expected])).first else { continue }
            if expected[1] == .string(">") {
                guard let bound = expected[2]?.int, let number = Int(value), number > bound else {
                    return "\(name) is \(value)"
                }
            } else if expected[1] == .string("=") {
                guard value == response.headers[expected[2]?.string ?? ""] else { return "\(name) is \(value)" }
            } else if value != field.text(relativeTo: base, config) {
                return "\(name) of response \(number) is \(value)"
            }
        }
        for missing in config["expected_response_headers_missing"]?.array ?? [] {
            if let name = missing.string, response.headers[name] != nil { return "response \(number) has \(name)" }
            if let name = missing[0]?.string, let text = missing[1]?.string,
                response.headers[name]?.contains(text) == true
            {
                return "\(name) of response \(number) has \(text)"
            }
        }
        return nil
    }

    private func contentFailure(
        _ number: Int, _ config: JSONValue, _ response: CollectedResponse, _ statusCode: Int
    ) -> String? {
        if config["check_body"]?.bool == false { return nil }
        let expected: String?
        if let text = config["expected_response_text"] {
            expected = text.string
        } else if let text = config["response_body"]?.string {
            expected = text
        } else if ConformanceOrigin.statusCodesWithoutContent.contains(statusCode)
            || config["request_method"]?.string == "HEAD"
        {
            return nil
        } else {
            expected = ConformanceOrigin.content
        }
        guard let expected, Data(expected.utf8) != response.content else { return nil }
        return "content of response \(number) is \(String(decoding: response.content, as: UTF8.self))"
    }

    /// Compares the requests that the server has received with the expected ones.
    private func arrivalFailure(_ arrivals: [ConformanceOrigin.Arrival], _ responses: [CollectedResponse]) -> String? {
        var index = 0
        for (position, config) in requests.enumerated() {
            let type = config["expected_type"]?.string
            if type == "cached" { continue }
            let arrival = index < arrivals.count ? arrivals[index] : nil
            index += 1
            if type == "not_cached", arrival?.number != position + 1 { return "request \(position + 1) did not arrive" }
            let condition = ["etag_validated": "If-None-Match", "lm_validated": "If-Modified-Since"][type ?? ""]
            if let condition, arrival?.headers[condition] == nil {
                return "request \(position + 1) has no \(condition)"
            }
            for field in config["expected_request_headers"]?.array ?? [] {
                let value = arrival?.headers[field.string ?? field[0]?.string ?? ""]
                if value == nil || field[1] != nil && value != field[1]?.string {
                    return "a field of request \(position + 1) is \(value ?? "absent")"
                }
            }
            for field in arrival?.checked.fields ?? [] where responses[position].statusCode != nil {
                guard responses[position].headers[field.name] != arrival?.checked[field.name] else { continue }
                return "\(field.name) of response \(position + 1) is not what was sent"
            }
            if let method = config["expected_method"]?.string, arrival?.method.rawValue != method {
                return "another method"
            }
        }
        return nil
    }
}
