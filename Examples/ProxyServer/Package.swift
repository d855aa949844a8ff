// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ProxyServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "MoyaStreams", path: "../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        .executableTarget(
            name: "ProxyServer",
            dependencies: [
                .product(name: "Moya", package: "MoyaStreams"),
                .product(name: "MoyaTesting", package: "MoyaStreams"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        .testTarget(
            name: "ProxyServerTests",
            dependencies: [
                "ProxyServer",
                .product(name: "Moya", package: "MoyaStreams"),
                .product(name: "MoyaTesting", package: "MoyaStreams"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .strictMemorySafety(),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if Context.environment["MOYA_WARNINGS_AS_ERRORS"] != nil {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
