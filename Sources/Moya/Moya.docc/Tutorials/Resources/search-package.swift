// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Search",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        // or .package(name: "MoyaStreams", path: "../MoyaStreams")
        .package(url: "https://git.example/MoyaStreams.git", branch: "main")
    ],
    targets: [
        .target(name: "Search", dependencies: [.product(name: "MoyaStreams", package: "MoyaStreams")]),
        .testTarget(
            name: "SearchTests", dependencies: ["Search", .product(name: "MoyaTesting", package: "MoyaStreams")]),
    ]
)
