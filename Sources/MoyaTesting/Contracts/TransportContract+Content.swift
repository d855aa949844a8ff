import Foundation
import Moya

extension TransportContract {
    static let content: [ContractClaim<any Transport>] = [
        ContractClaim(
            "a streamed body arrives completely, with its length if it has one, also when its reader is pending"
        ) { transport in
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            for length in [nil, 6] as [Int64?] {
                let result = try await transport.outcome(
                    of: TransportRequest(
                        method: .post, url: server.url,
                        body: PausingRequestBodyReader.stream(["ab", "cd", "ef"], length: length)))
                try expect(result.error?.code, is: nil, "the error")
                try expect(result.text, is: "abcdef", "the content")
                guard length != nil else { continue }
                try expect(server.requests.last?.headers["Content-Length"], is: "6", "the length")
            }
        },
        ContractClaim(
            "a streamed body whose length differs from the declared one is a failure, and not a complete request"
        ) {
            transport in
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            for length in [5, 7] as [Int64] {
                let result = try await transport.outcome(
                    of: TransportRequest(
                        method: .put, url: server.url, body: PausingRequestBodyReader.stream(["abcdef"], length: length)
                    ))
                let kind = result.error.map { MoyaError.underlying($0, nil).kind }
                try expect(kind, is: .request, "the failure of 6 bytes instead of \(length)")
            }
            try expect(server.requests.map(\.path), is: [], "the requests")
        },
        ContractClaim("content is decoded only if the transport itself has offered the encoding") { transport in
            let encoded = Data(base64Encoded: "H4sIAAAAAAACA0tJTc5PSU0BAPaa8BoHAAAA") ?? Data()
            let server = try LoopbackServer { request in
                request.headers["Accept-Encoding"]?.contains("gzip") == true
                    ? .status(200, headers: ["Content-Encoding": "gzip"], body: encoded) : .text("decoded")
            }
            defer { server.stop() }
            let decoded = try await transport.outcome(of: TransportRequest(method: .get, url: server.url))
            try expect(decoded.error?.code, is: nil, "the error")
            try expect(decoded.text, is: "decoded", "the content")
            // `URLSession` decodes each supported content coding, even if the request itself sets `Accept-Encoding`.
            // The rest of this check therefore does not apply to `URLSessionTransport`.
            guard !(transport is URLSessionTransport) else { return }
            let own = try await transport.outcome(
                of: TransportRequest(method: .get, url: server.url, headers: ["Accept-Encoding": "gzip"]))
            try expect(own.error?.code, is: nil, "the error")
            try expect(
                own.content == encoded, is: true, "whether an encoding that the request has offered is left as it is")
        },
        ContractClaim("a request that is lost on a new connection is not sent again") { transport in
            let server = try LoopbackServer { _ in .closed }
            defer { server.stop() }
            for method in [HTTPMethod.get, .post, .put] {
                server.forgetRequests()
                let body = method == .get ? RequestBody.none : .data(Data("once".utf8))
                let result = try await transport.outcome(
                    of: TransportRequest(method: method, url: server.url, body: body))
                let kind = result.error.map { MoyaError.underlying($0, nil).kind }
                try expect(kind, is: .connectionLost, "the failure of \(method)")
                try expect(server.requests.map(\.method), is: [method], "the requests")
            }
        },
        ContractClaim(
            "a cancel while a full window suspends a response gives one outcome, in a transport with backpressure"
        ) {
            transport in
            guard transport.capabilities.contains(.backpressure) else { return }
            let server = try LoopbackServer { _ in .status(200, body: Data(repeating: 7, count: 5_000_000)) }
            defer { server.stop() }
            let exchange = try TransportTrace(
                TransportRequest(method: .get, url: server.url, delivery: .chunks(window: 100_000)), on: transport)
            try await until("the window is full") { exchange.received >= 100_000 }
            exchange.cancel()
            exchange.acknowledge(100_000)
            let result = try await exchange.finished()
            try expect(result.error?.code, is: .cancelled, "the error")
            try expect(result.received < 5_000_000, is: true, "whether the rest is not delivered")
            try await until("the connection is closed") { server.connectionCount == 0 }
        },
    ]
}

private struct PausingRequestBodyReader: BodyReader {
    private var remaining: ArraySlice<Data>
    private var isReady = false
    private let resume: @Sendable () -> Void

    static func stream(_ pieces: [String], length: Int64?) -> RequestBody {
        .stream(length: length) { PausingRequestBodyReader(remaining: pieces.map { Data($0.utf8) }[...], resume: $0) }
    }

    private init(remaining: ArraySlice<Data>, resume: @escaping @Sendable () -> Void) {
        self.remaining = remaining
        self.resume = resume
    }

    mutating func read(upTo count: Int) -> BodyPart {
        guard let piece = remaining.first else { return .end }
        isReady.toggle()
        guard !isReady else {
            DispatchScheduler.background.schedule(after: .milliseconds(1), resume)
            return .pending
        }
        remaining[remaining.startIndex] = piece.dropFirst(count)
        if piece.count <= count { remaining.removeFirst() }
        return .data(Data(piece.prefix(count)))
    }
}
