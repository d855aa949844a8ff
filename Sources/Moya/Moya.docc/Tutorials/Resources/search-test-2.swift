import Foundation
import MoyaStreams
import MoyaTesting
import Testing

@testable import Search

@MainActor @Suite struct SearchModelTests {
    let time = VirtualTime()

    @Test func searchesAfterAPause() {
        let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub, scheduler: time)
        let model = SearchModel(provider: provider, on: time)
        model.text = "pokedex"
        time.advance(by: .milliseconds(299))
        #expect(model.names == [])
        time.advance(by: .milliseconds(1))
        #expect(model.names == ["pokedex"])
    }
}
