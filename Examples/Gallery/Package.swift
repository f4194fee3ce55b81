// swift-tools-version: 6.2
import PackageDescription

// A package of its own: it sees of alcedo what any other would.
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
            ],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
