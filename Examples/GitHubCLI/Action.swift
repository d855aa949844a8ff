import Foundation
import Moya
import TerminalSupport

/// What the arguments ask for.
enum Action {
    case showUser(String)
    case listRepositories(owner: String, limit: Int)
    case star(owner: String, name: String)
    case download(owner: String, name: String, to: URL)

    init(_ arguments: inout Arguments) throws {
        switch try arguments.take("COMMAND") {
        case "user": self = .showUser(try arguments.take("NAME"))
        case "repos":
            let limit = try arguments.takeOption("--limit") ?? "30"
            guard let limit = Int(limit), limit > 0 else { throw UsageError("--limit needs a positive number") }
            self = .listRepositories(owner: try arguments.take("OWNER"), limit: limit)
        case "star":
            let (owner, name) = try Self.repository(in: &arguments)
            self = .star(owner: owner, name: name)
        case "download":
            let (owner, name) = try Self.repository(in: &arguments)
            let file = URL(filePath: arguments.takeNext() ?? "\(name).tar.gz")
            self = .download(owner: owner, name: name, to: file)
        case let command: throw UsageError("\(command.printable) is no command")
        }
    }

    private static func repository(in arguments: inout Arguments) throws -> (owner: String, name: String) {
        let parts = try arguments.take("OWNER/REPOSITORY").split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts.contains("") else {
            throw UsageError("a repository is written OWNER/REPOSITORY")
        }
        return (String(parts[0]), String(parts[1]))
    }

    func run(on gitHub: MoyaProvider<MultiTarget>) async throws {
        switch self {
        case .showUser(let name):
            show(try await gitHub.value(ShowUser(name: name)))
        case .listRepositories(let owner, let limit):
            let list = ListRepositories(owner: owner, pageSize: min(limit, 100))
            for try await repository in gitHub.pages(list, next: .link).items.prefix(limit) { show(repository) }
        case .star(let owner, let name):
            try await gitHub.value(StarRepository(owner: owner, name: name))
            print("\(owner)/\(name) has your star.")
        case .download(let owner, let name, let file):
            try await download(DownloadArchive(owner: owner, name: name, file: file), from: gitHub)
        }
    }

    private func show(_ user: User) {
        let name = user.name.map { " (\($0.printable))" } ?? ""
        print(Terminal.output.styled(user.login.printable, .bold) + name)
        if let bio = user.bio { print(bio.printable) }
        print("\(user.publicRepos) repositories, \(user.followers) followers")
    }

    private func show(_ repository: Repository) {
        let columns = [
            repository.pushedAt?.formatted(.iso8601.year().month().day()) ?? "never",
            "\(repository.stargazersCount) ★",
            repository.language?.printable ?? "",
        ]
        let padded = columns.map { $0.padding(toLength: 12, withPad: " ", startingAt: 0) }
        print(padded.joined() + Terminal.output.styled(repository.name.printable, .bold))
    }

    private func download(_ archive: DownloadArchive, from gitHub: MoyaProvider<MultiTarget>) async throws {
        let response = try await gitHub.response(archive) { progress in
            guard !progress.completed else { return Terminal.error.clearProgress() }
            let size = progress.completedUnitCount.formatted(.byteCount(style: .file))
            let share = progress.totalUnitCount.map { _ in " (\(Int(progress.progress * 100)) %)" } ?? ""
            Terminal.error.showProgress("\(size)\(share)")
        }
        print("The archive is in \((response.fileURL ?? archive.file).path(percentEncoded: false)).")
    }
}
