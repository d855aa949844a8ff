// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "MoyaStreams", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
    ],
    targets: [
        .target(name: "MallocCounter"),
        // The main package has a target with its tests.
        .target(name: "Charts", path: "Charts", exclude: ["BarChartTests.swift"]),
        .target(name: "Measuring", dependencies: ["Charts", "MallocCounter"]),
        .executableTarget(
            name: "StreamBenchmarks",
            dependencies: [
                "Charts", "Measuring",
                .product(name: "MoyaStreams", package: "MoyaStreams"),
                .product(name: "MoyaCaching", package: "MoyaStreams"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineDispatch", package: "OpenCombine"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ]),
        .executableTarget(
            name: "TransportBenchmarks",
            dependencies: [
                "Charts", "Measuring", "MallocCounter",
                .product(name: "MoyaStreams", package: "MoyaStreams"),
                .product(name: "MoyaCaching", package: "MoyaStreams"),
                .product(name: "MoyaTesting", package: "MoyaStreams"),
                .product(name: "MoyaWebSocket", package: "MoyaStreams"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "MallocCounter" {
    target.swiftSettings = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]
}
