// swift-tools-version: 6.2
import PackageDescription

// An app that moves to this package target by target, and still uses Moya 15: the recipe MigrateBesideMoya.
let repositories = Context.environment["REPOSITORIES"] ?? "file:///"
let oldMoya = ["Moya": "OldMoya"]

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "\(repositories)/Moya", from: "15.0.0"),
        .package(url: "\(repositories)/MoyaStreams", branch: "main"),
    ],
    targets: [
        // A library on the old Moya, whose types are in its API.
        .target(
            name: "Layer",
            dependencies: [
                .product(name: "Moya", package: "Moya", moduleAliases: oldMoya),
                .product(name: "MoyaStreams", package: "MoyaStreams"),
            ]),
        // RxMoya in place of Moya.
        .target(
            name: "Rx",
            dependencies: [
                .product(name: "RxMoya", package: "Moya", moduleAliases: oldMoya),
                .product(name: "MoyaStreams", package: "MoyaStreams"),
            ]),
        // A target with both.
        .executableTarget(
            name: "App",
            dependencies: [
                "Layer", "Rx", .product(name: "Moya", package: "Moya", moduleAliases: oldMoya),
                .product(name: "MoyaStreams", package: "MoyaStreams"),
            ]),
    ]
)
