// swift-tools-version: 6.2
import PackageDescription

// Apple's privacy manifest of the cache, which reads the times of its files. Other platforms have no use for it.
#if os(macOS)
    let (manifest, withoutManifest): ([Resource], [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#else
    let (manifest, withoutManifest): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

let package = Package(
    name: "MoyaStreams",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Moya", targets: ["Moya"]),
        .library(name: "MoyaCaching", targets: ["MoyaCaching"]),
        .library(name: "MoyaRecording", targets: ["MoyaRecording"]),
        .library(name: "MoyaWebSocket", targets: ["MoyaWebSocket"]),
        .library(name: "MoyaStreams", targets: ["MoyaStreams"]),
        .library(name: "MoyaCombine", targets: ["MoyaCombine"]),
        .library(name: "RxMoyaCompatibility", targets: ["RxMoyaCompatibility"]),
        .library(name: "RxMoyaCompatibilityTesting", targets: ["RxMoyaCompatibilityTesting"]),
        .library(name: "MoyaTesting", targets: ["MoyaTesting"]),
    ],
    targets: [
        // Each target imports only what stands above it.
        .target(name: "MoyaScheduling"),
        .target(name: "MoyaHTTP", dependencies: ["MoyaScheduling"]),
        .target(name: "CMoyaCurl"),
        .target(name: "MoyaCurl", dependencies: ["MoyaHTTP", "CMoyaCurl"]),
        .target(
            name: "MoyaURLSession",
            dependencies: ["MoyaHTTP", .target(name: "CMoyaCurl", condition: .when(platforms: [.linux]))]),
        .target(name: "MoyaCaching", dependencies: ["MoyaHTTP"], exclude: withoutManifest, resources: manifest),
        .target(name: "MoyaRecording", dependencies: ["MoyaHTTP"]),
        .target(
            name: "Moya",
            dependencies: [
                "MoyaHTTP", "MoyaURLSession", .target(name: "MoyaCurl", condition: .when(platforms: [.linux])),
            ]),
        .target(name: "MoyaStreams", dependencies: ["Moya"]),
        .target(name: "MoyaWebSocket", dependencies: ["MoyaStreams"]),
        .target(name: "MoyaCombine", dependencies: ["MoyaStreams"]),
        .target(name: "RxMoyaCompatibility", dependencies: ["MoyaStreams"]),
        .target(name: "MoyaTesting", dependencies: ["MoyaStreams", "MoyaRecording", "MoyaWebSocket"]),
        .target(name: "RxMoyaCompatibilityTesting", dependencies: ["RxMoyaCompatibility", "MoyaTesting"]),
        .example("Quickstart", dependencies: ["MoyaStreams", "MoyaTesting"]),
        .example("GitHubCLI", dependencies: ["Moya", "MoyaTesting"]),
        .example("ChatStream", dependencies: ["MoyaStreams", "MoyaTesting", "MoyaWebSocket"]),
        .target(name: "TerminalSupport", path: "Examples/TerminalSupport"),
        .target(
            name: "SearchViewModel", dependencies: ["MoyaStreams"], path: "Examples/SearchViewModel/Sources",
            packageAccess: false),
        .testTarget(
            name: "SearchViewModelTests", dependencies: ["SearchViewModel", "MoyaStreams", "MoyaTesting"],
            path: "Examples/SearchViewModel/Tests", packageAccess: false),
        .target(name: "TestSupport", dependencies: ["Moya", "MoyaTesting"], path: "Tests/Support"),
        .testTarget(name: "MoyaSchedulingTests", dependencies: ["MoyaTesting", "TestSupport"]),
        .testTarget(name: "MoyaHTTPTests", dependencies: ["MoyaCaching", "MoyaTesting", "TestSupport"]),
        .testTarget(name: "MoyaCurlTests", dependencies: ["MoyaCaching", "MoyaTesting", "TestSupport"]),
        .testTarget(name: "MoyaURLSessionTests", dependencies: ["MoyaTesting", "TestSupport"]),
        .testTarget(name: "MoyaCachingTests", dependencies: ["MoyaCaching", "MoyaTesting", "TestSupport"]),
        .testTarget(name: "MoyaRecordingTests", dependencies: ["MoyaCaching", "MoyaTesting", "TestSupport"]),
        .testTarget(
            name: "MoyaWebSocketTests", dependencies: ["MoyaCaching", "MoyaWebSocket", "MoyaTesting", "TestSupport"]),
        .testTarget(
            name: "MoyaTests", dependencies: ["MoyaCaching", "MoyaTesting", "TestSupport"],
            exclude: ["Provider"]),
        .testTarget(
            name: "MoyaProviderTests", dependencies: ["MoyaCaching", "MoyaTesting", "TestSupport"],
            path: "Tests/MoyaTests/Provider"),
        .testTarget(
            name: "MoyaStreamsTests", dependencies: ["MoyaStreams", "MoyaCombine", "MoyaTesting", "TestSupport"],
            exclude: ["Operators"]),
        .testTarget(
            name: "MoyaOperatorTests", dependencies: ["MoyaStreams", "MoyaTesting", "TestSupport"],
            path: "Tests/MoyaStreamsTests/Operators"),
        .testTarget(name: "MigrationTests", dependencies: ["MoyaStreams", "TestSupport"]),
        .testTarget(
            name: "RxMoyaCompatibilityTests",
            dependencies: ["RxMoyaCompatibility", "RxMoyaCompatibilityTesting", "MoyaTesting", "TestSupport"],
            swiftSettings: [.unsafeFlags(["-suppress-warnings"])]),
        .testTarget(
            name: "RxSwiftCodeTests", dependencies: ["RxMoyaCompatibilityTesting"],
            swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
        .testTarget(
            name: "MainActorTests", dependencies: ["MoyaStreams", "MoyaTesting"],
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .testTarget(name: "ChainTests", dependencies: ["MoyaStreams", "MoyaTesting"]),
        .testTarget(
            name: "MoyaTestingTests", dependencies: ["MoyaTesting", "TestSupport"], exclude: ["Replay/Recordings"]),
        .testTarget(name: "BarChartTests", path: "Tests/Benchmarks/Charts"),
    ],
    swiftLanguageModes: [.v6]
)

// Its script `serve`, which starts the servers of these tests, sets the variable.
if Context.environment["MOYA_END_TO_END"] != nil {
    package.targets.append(
        .testTarget(
            name: "EndToEndTests", dependencies: ["MoyaStreams", "MoyaWebSocket", "MoyaTesting", "TestSupport"],
            exclude: ["serve", "servers", "with-libcurl"]))
}

extension Target {
    /// An executable in Examples, which, like the code of users, sees the public API only.
    static func example(_ name: String, dependencies: [Dependency]) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies + ["TerminalSupport"], path: "Examples/\(name)",
            exclude: ["README.md"], packageAccess: false)
    }
}

// SwiftPM compiles a target again only if a module that it names has changed, so each target names those behind, too.
for target in package.targets {
    var names: Set<String> = []
    func collect(_ dependencies: [Target.Dependency]) -> [Target.Dependency] {
        dependencies.flatMap { dependency -> [Target.Dependency] in
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _):
                guard names.insert(name).inserted else { return [] }
                return [dependency] + collect(package.targets.first { $0.name == name }?.dependencies ?? [])
            default: return [dependency]
            }
        }
    }
    target.dependencies = collect(target.dependencies)
}

// A newer compiler knows new warnings: they must not break the builds of those who depend on this package.
let warningsAreErrors = Context.environment["MOYA_WARNINGS_AS_ERRORS"] != nil

// Code as users write it, with the compiler's default settings, or with those that Xcode gives a new app. The tests of
// RxMoyaCompatibility suppress warnings: all of its names are deprecated.
let codeOfUsers = ["MigrationTests", "RxMoyaCompatibilityTests", "RxSwiftCodeTests", "MainActorTests"]

for target in package.targets where target.name != "CMoyaCurl" && !codeOfUsers.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    // Not for tests, which take longer to compile with it.
    if target.type != .test { target.swiftSettings?.append(.strictMemorySafety()) }
    if warningsAreErrors { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}

// Most of the time of a first `swift test` goes into compiling tests. As a whole, and in one job with its module, a
// target takes less time, but it is compiled again as a whole after a change; the tests of the two largest modules are
// two targets each. For a debugger, tests have lines, but no variables unless `MOYA_DEBUG_TESTS` is set; the check of
// LLVM's input is left out.
for target in package.targets where target.type == .test {
    var flags = [
        "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo",
    ]
    if Context.environment["MOYA_DEBUG_TESTS"] == nil {
        flags += ["-gline-tables-only", "-disable-llvm-verify"].flatMap { ["-Xfrontend", $0] }
    }
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(platforms: [.linux]))]
}

// The compiler warns if it takes two seconds for a function with chains of closures; in CI, a warning is an error.
for target in package.targets where target.name == "ChainTests" {
    target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-warn-long-function-bodies=2000"]))
}
