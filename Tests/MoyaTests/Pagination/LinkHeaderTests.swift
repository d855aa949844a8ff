import TestSupport
import Testing

@testable import Moya

@Suite(.queued, .timeLimit(.minutes(10))) struct LinkHeaderTests {
    private func next(_ fields: String...) -> String? {
        HTTPHeaders(fields: fields.map { HTTPHeaders.Field(name: "Link", value: $0) }).link(relation: "next")
    }

    @Test(
        "the target is that of the first link with the relation `next` (RFC 8288, section 3.3)",
        arguments: [
            (#"</b>; rel="next""#, "/b"), ("</b>; rel=next", "/b"), (#"</b>;rel="prev next""#, "/b"),
            (#"</b>; REL="NEXT""#, "/b"), (#"</b> ; title="x" ; rel = "next""#, "/b"),
            (#"</a>; rel="prev", </b>; rel="next", </c>; rel="next""#, "/b"),
            (#"</b?x=1,2;3>; rel="next""#, "/b?x=1,2;3"),
            (#"</a>; title="a, <b>; rel=\"next\""; rel="prev", </b>; rel="next""#, "/b"),
            (#"</b>; title*=UTF-8''x%22; rel=next"#, "/b"), ("</b>; crossorigin; rel=next", "/b"),
            (#", ,</b>; rel="next","#, "/b"), (#"<>; rel="next""#, ""),
        ])
    func finds(_ field: String, _ reference: String) {
        expectEqual(next(field), reference)
    }

    @Test(
        "a link with another relation or context, or a malformed one, is ignored",
        arguments: [
            "", #"</b>; rel="prev""#, #"</b>; rel="prev"; rel="next""#, #"</b>; rel="next"; anchor="/other""#,
            #"</b>; rel="nextpage""#, "</b; rel=next", "/b; rel=next", "</b>", "</b>; next", "</b>; rel",
            #"</b>; rel="#,
            #"</b>; rel=""#, #"</b>; title="rel=next"#, "<", ">", ";", #"</b>; rev="next""#,
        ])
    func findsNone(_ field: String) {
        #expect(next(field) == nil)
    }

    @Test func severalFieldsAreOneList() {
        expectEqual(next("</a>; rel=prev", "</b>; rel=next"), "/b")
    }

    @Test("a long unterminated field is parsed in linear time")
    func longFields() {
        #expect(next(String(repeating: "<a>;", count: 20_000)) == nil)
        #expect(next(String(repeating: "<a>; rel=\"", count: 20_000)) == nil)
        #expect(next(String(repeating: "<", count: 100_000)) == nil)
    }
}
