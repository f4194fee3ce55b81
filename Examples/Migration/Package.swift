// swift-tools-version: 6.2
import PackageDescription

// A separate package, which uses alcedo's public products only.
let package = Package(
    name: "Migration",
    dependencies: [.package(name: "alcedo", path: "../..")],
    targets: [
        .executableTarget(
            name: "Migration",
            dependencies: [
                .product(name: "TerminalImageView", package: "alcedo"), .product(name: "Retrying", package: "alcedo"),
                .product(name: "ExponentialBackOff", package: "alcedo"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
