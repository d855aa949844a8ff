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
        #expect(model.names == [])
    }
}
