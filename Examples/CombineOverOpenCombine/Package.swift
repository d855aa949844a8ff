// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CombineOverOpenCombine",
    products: [
        .library(name: "OpenCombineMoya", targets: ["OpenCombineMoya"])
    ],
    dependencies: [
        .package(name: "MoyaStreams", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // The sources of MoyaCombine. SwiftPM refuses two targets with that name in one build.
        .target(
            name: "OpenCombineMoya",
            dependencies: [
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "MoyaStreams", package: "MoyaStreams"),
            ],
            swiftSettings: [.unsafeFlags(["-module-alias", "Combine=OpenCombine"])]),
        // The tests of MoyaCombine.
        .testTarget(
            name: "OpenCombineMoyaTests",
            dependencies: [
                "OpenCombineMoya",
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "MoyaStreams", package: "MoyaStreams"),
                .product(name: "MoyaTesting", package: "MoyaStreams"),
            ],
            swiftSettings: [
                .unsafeFlags(["-module-alias", "Combine=OpenCombine", "-module-alias", "MoyaCombine=OpenCombineMoya"])
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// The settings of the root package.
for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .treatAllWarnings(as: .error),
            .strictMemorySafety(),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
