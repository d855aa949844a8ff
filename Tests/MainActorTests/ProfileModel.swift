import Foundation
import MoyaStreams
import Observation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Code of an app whose default isolation is the main actor, which is what Xcode gives a new app.

// The conformance stands at the type: then the type is nonisolated, as `TargetType` needs it.
enum GitHub: TargetType {
    case user(String)
    case search(String)

    var baseURL: URL { URL(string: "https://api.github.com") ?? URL(filePath: "/") }
    var path: String {
        switch self {
        case .user(let name): "/users/\(name)"
        case .search(let text): "/search/\(text)"
        }
    }
    var sampleData: Data {
        switch self {
        case .user(let name): Data(#"{"login": "\#(name)"}"#.utf8)
        case .search(let text): Data(#"[{"login": "\#(text)1"}, {"login": "\#(text)2"}]"#.utf8)
        }
    }
}

// What a stream or a typed call decodes is nonisolated: it is decoded on another thread.
nonisolated struct User: Decodable, Equatable {
    let login: String
}

extension TypedTarget<GitHub, User> {
    static func user(_ name: String) -> Self { Self(.user(name)) }
}

/// A plugin, called on the thread that a request has reached: nonisolated, because the conformance stands at the type.
struct PlatformPlugin: PluginType {
    func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
        var request = request
        request.setValue("ios", forHTTPHeaderField: "X-Platform")
        return request
    }
}

/// A view model.
@Observable
final class ProfileModel {
    var name = ""
    var message: String?
    var isLoading = false
    var names: [String] = []

    @ObservationIgnored private let provider: MoyaProvider<GitHub>
    @ObservationIgnored private let subscriptions = SubscriptionBag()

    init(provider: MoyaProvider<GitHub>) {
        self.provider = provider
    }

    /// With `async`.
    func load(_ name: String) async {
        isLoading = true
        defer { isLoading = false }
        do {
            self.name = try await provider.value(.user(name)).login
        } catch {
            message = error.localizedDescription
        }
    }

    /// With a completion on the main actor.
    func loadWithCompletion(_ name: String, finished: @escaping @MainActor () -> Void = {}) {
        isLoading = true
        provider.request(
            .user(name),
            onMain: { [weak self] result in
                self?.isLoading = false
                self?.name = (try? result.get().map(User.self).login) ?? ""
                finished()
            })
    }

    /// With a stream whose closures run on the main actor.
    func loadWithStream(_ name: String, finished: @escaping @MainActor () -> Void = {}) {
        provider.request(.user(name)).filterSuccessfulStatusCodes().map(User.self)
            .subscribe(onMain: { [weak self] user in self?.name = user.login }, onCompleted: finished)
            .store(in: subscriptions)
    }

    /// Searches for what is typed.
    func search(_ typed: Signal<String>, on scheduler: any Scheduler) {
        let provider = self.provider
        typed.debounce(for: .milliseconds(300), on: scheduler)
            .flatMapLatest { text in
                provider.request(.search(text)).map([User].self).catchAndReturn([])
            }
            .subscribe(onMain: { [weak self] users in self?.names = users.map(\.login) }, scheduler: scheduler)
            .store(in: subscriptions)
    }
}
