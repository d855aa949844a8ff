import Foundation
import MoyaTesting
import TestSupport
import Testing

@testable import Moya

/// W3C Trace Context.
@Suite(.queued, .timeLimit(.minutes(10))) struct TraceContextTests {
    static let valid = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @Test("a valid field is read and written unchanged")
    func roundTrip() throws {
        let context = try #require(TraceContext(traceparent: Self.valid, tracestate: "rojo=1,congo=t61"))
        expectEqual(context.traceID, "0af7651916cd43dd8448eb211c80319c")
        expectEqual(context.parentID, "b7ad6b7169203331")
        #expect(context.isSampled)
        expectEqual(context.traceparent, Self.valid)
        expectEqual("\(context)", Self.valid)
        expectEqual(context.tracestate, "rojo=1,congo=t61")
        #expect(TraceContext(traceparent: String(Self.valid.dropLast(2)) + "00")?.isSampled == false)
        expectEqual(TraceContext(traceparent: String(Self.valid.dropLast(2)) + "ff")?.traceparent, Self.valid)
    }

    @Test("4.3: of a later version, the known part is read, and version 00 is sent")
    func laterVersions() {
        let later = "cc" + Self.valid.dropFirst(2)
        expectEqual(TraceContext(traceparent: later)?.traceparent, Self.valid)
        expectEqual(TraceContext(traceparent: later + "-what-the-future-brings")?.traceparent, Self.valid)
        #expect(TraceContext(traceparent: later + ".what") == nil)
    }

    @Test(
        "10: invalid fields are refused, and a new root takes their place",
        arguments: [
            "", "00", TraceContextTests.valid.uppercased(), "ff" + TraceContextTests.valid.dropFirst(2),
            TraceContextTests.valid + "-01", TraceContextTests.valid + "0", String(TraceContextTests.valid.dropLast()),
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x", "0x" + TraceContextTests.valid.dropFirst(2),
            " " + TraceContextTests.valid,
            String(repeating: "é", count: 55), String(repeating: "0", count: 100_000),
        ])
    func invalid(_ traceparent: String) throws {
        #expect(TraceContext(traceparent: traceparent, tracestate: "a=1") == nil)
        let root = TraceContext(traceparent: traceparent, tracestate: "a=1") ?? .root(isSampled: true)
        #expect(root.tracestate == nil)
        expectEqual(TraceContext(traceparent: root.traceparent), root)
    }

    @Test(
        "3.3: an invalid tracestate is dropped without an effect on traceparent",
        arguments: [
            "a=1,a=2", "A=1", "a", "=1", "a=", "a=b=c", "a=ü", "a=1,b", "\(String(repeating: "k", count: 257))=1",
            "a=\(String(repeating: "v", count: 257))", (0..<33).map { "k\($0)=1" }.joined(separator: ","), ",,", "",
        ])
    func invalidState(_ tracestate: String) throws {
        let context = try #require(TraceContext(traceparent: Self.valid, tracestate: tracestate))
        #expect(context.tracestate == nil)
        expectEqual(context.traceparent, Self.valid)
    }

    @Test("3.3: 32 members, blanks around them and empty members are valid")
    func validState() throws {
        let members = (0..<32).map { "k\($0)@x=\($0) b" }
        let text = members.joined(separator: " , \t,")
        let context = try #require(TraceContext(traceparent: Self.valid, tracestate: text))
        expectEqual(context.tracestate, members.joined(separator: ","))
    }

    @Test("7: children have the trace ID of their parent and IDs of their own")
    func children() throws {
        let context = try #require(TraceContext(traceparent: Self.valid, tracestate: "a=1"))
        let children = (0..<1000).map { _ in context.child() }
        expectEqual(Set(children.map(\.parentID)).count, 1000)
        expectEqual(Set(children.map(\.traceID)), [context.traceID])
        #expect(children.allSatisfy { $0.isSampled && $0.tracestate == "a=1" && $0.parentID.utf8.count == 16 })
        expectEqual(Set((0..<1000).map { _ in TraceContext.root(isSampled: false).traceID }).count, 1000)
    }

    @Test("random bytes are never accepted and never crash", arguments: 0..<20)
    func hostile(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            var bytes = Array(Self.valid.utf8)
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0 ... .max, using: &generator)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            guard let context = TraceContext(traceparent: text, tracestate: text) else { continue }
            expectEqual(TraceContext(traceparent: context.traceparent), context)
        }
    }
}
