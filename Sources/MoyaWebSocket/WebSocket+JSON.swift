public import Foundation
public import Moya

extension WebSocket {
    /// The messages of the server, decoded from JSON.
    ///
    /// ```swift
    /// for try await event in socket.messages(as: ChatEvent.self) { show(event) }
    /// ```
    /// Both text and bytes are decoded. A message that cannot be decoded ends the loop with
    /// `MoyaError.objectMapping`, whose response contains the message; another loop continues with the next one.
    public func messages<Value: Decodable & Sendable>(
        as type: Value.Type, using decoder: JSONDecoder = JSONDecoder()
    ) -> some AsyncSequence<Value, MoyaError> & Sendable {
        DecodedMessages<_, Value>(messages: messages, decoder: decoder, handshake: response)
    }

    /// Sends a value as JSON, in a text message.
    ///
    /// The value is encoded on the actor of the caller.
    ///
    /// - Throws: `MoyaError.encodableMapping` if the value cannot be encoded, and the errors of ``send(_:)``.
    nonisolated(nonsending) public func send(
        json value: some Encodable, using encoder: JSONEncoder = JSONEncoder()
    ) async throws(MoyaError) {
        let text: String
        do {
            text = String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw .encodableMapping(error)
        }
        try await send(.text(text))
    }
}

private struct DecodedMessages<Messages: AsyncSequence & Sendable, Value: Decodable & Sendable>: AsyncSequence, Sendable
where Messages.Element == WebSocketMessage, Messages.Failure == MoyaError {
    let messages: Messages
    let decoder: JSONDecoder
    let handshake: Response

    func makeAsyncIterator() -> Iterator {
        Iterator(messages: messages.makeAsyncIterator(), decoder: decoder, handshake: handshake)
    }

    struct Iterator: AsyncIteratorProtocol {
        var messages: Messages.AsyncIterator
        let decoder: JSONDecoder
        let handshake: Response

        mutating func next() async throws(MoyaError) -> Value? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(MoyaError) -> Value? {
            guard let message = try await messages.next(isolation: actor) else { return nil }
            do {
                return try decoder.decode(Value.self, from: message.bytes)
            } catch {
                throw .objectMapping(
                    error, Response(statusCode: 101, data: message.bytes, request: handshake.request))
            }
        }
    }
}
