import MoyaStreams
import Observation

@MainActor @Observable final class SearchModel {
    var text = ""
    private(set) var names: [String] = []
}
