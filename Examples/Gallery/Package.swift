// swift-tools-version: 6.2
import PackageDescription

// A separate package, which uses alcedo's public products only.
let package = Package(
    name: "Gallery",
    dependencies: [.package(name: "alcedo", path: "../..")],
    targets: [
        .executableTarget(
            name: "Gallery",
            dependencies: [
                .product(name: "BrowserApp", package: "alcedo"),
                .product(name: "ImageLoading", package: "alcedo"),
                .product(name: "Retrying", package: "alcedo"),
                .product(name: "TerminalGraphics", package: "alcedo"),
                .product(name: "TerminalImageView", package: "alcedo"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
