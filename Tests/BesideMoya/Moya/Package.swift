// swift-tools-version: 5.9
// A package with the targets of Moya 15, and none of its code.
import PackageDescription

let package = Package(
    name: "Moya",
    products: [
        .library(name: "Moya", targets: ["Moya"]),
        .library(name: "CombineMoya", targets: ["CombineMoya"]),
        .library(name: "RxMoya", targets: ["RxMoya"]),
    ],
    targets: [
        .target(name: "Moya"),
        .target(name: "CombineMoya", dependencies: ["Moya"]),
        .target(name: "RxMoya", dependencies: ["Moya"]),
    ]
)
