// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "alcedo",
    products: [
        .executable(name: "alcedo", targets: ["alcedo"]),
        .library(name: "ImageLoading", targets: ["ImageLoading", "Retrying", "Raster"]),
        .library(name: "DecoderSandbox", targets: ["CZygote"]),
        .library(name: "Retrying", targets: ["Retrying"]),
        .library(name: "TerminalGraphics", targets: ["TerminalGraphics", "Raster"]),
        .library(
            name: "TerminalImageView", targets: ["TerminalImageView", "ImageLoading", "TerminalGraphics", "Raster"]),
        .library(name: "BrowserApp", targets: ["BrowserApp"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // C libraries, in module maps: the only places that say "link".
        .systemLibrary(name: "CNcurses"),
        .systemLibrary(name: "CSixel"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CGObject", pkgConfig: "gobject-2.0"),
        .target(name: "CVips", dependencies: ["CGObject"]),
        .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        // Libraries that are loaded at run time: libavif, libjxl and FFmpeg's; libarchive.
        .target(name: "CFrames"),
        .target(name: "CArchive"),
        // HTTP, and the codings of bodies: libcurl, brotli and zstd, loaded at the first request.
        .target(name: "CCurl"),
        .systemLibrary(name: "CDeflate"),
        .systemLibrary(name: "CNettle"),
        .systemLibrary(name: "CWebP"),
        .target(name: "CTerminalGuard"),
        // Helper processes for decoding; linking CZygote forks their parent when a program is loaded.
        .target(name: "CSandbox"),
        .target(name: "CZygote", dependencies: ["CSandbox"], linkerSettings: [.linkedLibrary("seccomp")]),
        .systemLibrary(name: "CCommit"),

        // The line: list → source → cache → download → decode → process → transition → quantize → sixel → terminal.
        .target(name: "Raster"),
        .target(name: "Filters", dependencies: ["Raster"]),
        .target(name: "Retrying"),
        .target(name: "Support"),
        .target(name: "Lists", dependencies: ["Raster", "CZlib", "Support"]),
        .target(
            name: "ImageCodecs",
            dependencies: ["Raster", "CVips", "CJPEG", "CDeflate", "CWebP", "CSandbox", "CFrames", "CArchive"]),
        .target(
            name: "DiskCache",
            dependencies: [
                "Raster", "Support", "Filters", "CNettle",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(name: "HTTPRequests", dependencies: ["Retrying", "Support"]),
        .target(
            name: "HTTPDownload", dependencies: ["HTTPRequests", "Retrying", "Support", "CDeflate", "CCurl"]),
        .target(
            name: "ImageLoading",
            dependencies: [
                "Raster", "Support", "Filters", "Retrying", "ImageCodecs", "DiskCache", "HTTPRequests", "HTTPDownload",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(name: "TerminalGraphics", dependencies: ["Raster", "CSixel", "CZlib"]),
        .target(name: "BrowserCore", dependencies: ["Raster", "Filters"]),
        .target(
            name: "TerminalImageView",
            dependencies: ["Raster", "Retrying", "ImageLoading", "TerminalGraphics", "BrowserCore"]),
        .target(name: "Terminal", dependencies: ["Raster", "BrowserCore", "CNcurses", "CTerminalGuard"]),
        .target(
            name: "BrowserApp",
            dependencies: [
                "Raster", "Filters", "Retrying", "ImageLoading", "TerminalGraphics", "TerminalImageView", "BrowserCore",
                "Terminal",
                "Lists", "Assets", "CZygote",
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            resources: [.embedInCode("Report/report.html")]),
        .target(name: "DemoServer"),
        .target(
            name: "Assets", path: "assets",
            exclude: ["README.md", "make-pictures.py", "make-screenshot", "painting", "screenshot.png"],
            resources: [.copy("pictures")]),
        .executableTarget(
            name: "alcedo",
            dependencies: [
                "BrowserApp", "ImageLoading", "Filters", "Lists", "DemoServer", "Assets", "Raster", "CCommit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Assets", "CSixel", "DemoServer", "ImageLoading", "Raster", "TerminalGraphics", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Benchmarks", exclude: ["Limit", "RESULTS.md", "run-measured.py", "write-results"]),
        // The libraries' own work for a prefetch, in C, for the benchmark.
        .executableTarget(
            name: "PrefetchLimit", path: "Benchmarks/Limit",
            linkerSettings: ["curl", "nettle", "jpeg", "sqlite3"].map { .linkedLibrary($0) }),

        // The example is a package of its own (`make gallery`); here it is built once more for its tests.
        .executableTarget(
            name: "GalleryExample",
            dependencies: [
                "BrowserApp", "ImageLoading", "Retrying", "Raster", "TerminalGraphics", "TerminalImageView",
            ],
            path: "Examples/Gallery/Sources/Gallery", packageAccess: false),
        .executableTarget(
            name: "MigrationExample", dependencies: ["TerminalImageView", "ImageLoading", "Retrying"],
            path: "Examples/Migration/Sources/Migration", packageAccess: false),

        // Tests, one to one with the targets; then those of the whole.
        .target(name: "CHostileDecoder", dependencies: ["CSandbox"], path: "Tests/CHostileDecoder"),
        .target(name: "TestSupport", dependencies: ["BrowserCore", "Raster"], path: "Tests/TestSupport"),
        .target(
            name: "ImageTestSupport", dependencies: ["ImageCodecs", "Raster", "TestSupport"],
            path: "Tests/ImageTestSupport"),
        .target(
            name: "FaultServer",
            dependencies: ["DemoServer", "TestSupport"],
            path: "Tests/FaultServer", exclude: ["TLS/tls-relay.py"]),
        .testTarget(name: "RasterTests", dependencies: ["Raster", "TestSupport"]),
        .testTarget(name: "FiltersTests", dependencies: ["Filters", "Raster", "TestSupport"]),
        .testTarget(name: "RetryingTests", dependencies: ["Retrying", "TestSupport"]),
        .testTarget(name: "ListsTests", dependencies: ["Lists", "CZlib", "TestSupport"]),
        .testTarget(
            name: "ImageCodecsTests",
            dependencies: [
                "ImageCodecs", "Raster", "CHostileDecoder", "CSandbox", "CZygote", "ImageTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "DiskCacheTests",
            dependencies: [
                "DiskCache", "Raster", "Support", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(name: "HTTPRequestsTests", dependencies: ["HTTPRequests", "TestSupport"]),
        .testTarget(
            name: "HTTPDownloadTests",
            dependencies: [
                "HTTPRequests", "HTTPDownload", "CCurl", "CDeflate", "ImageCodecs", "Raster", "FaultServer",
                "ImageTestSupport",
                "TestSupport",
            ]),
        .testTarget(
            name: "ImageLoadingTests",
            dependencies: [
                "ImageLoading", "DiskCache", "HTTPRequests", "HTTPDownload", "Filters", "Raster", "Retrying",
                "FaultServer", "ImageTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "TerminalGraphicsTests",
            dependencies: ["TerminalGraphics", "Raster", "CSixel", "CZlib", "TestSupport"]),
        .testTarget(
            name: "TerminalImageViewTests", dependencies: ["TerminalImageView", "TestSupport"]),
        .testTarget(
            name: "BrowserCoreTests", dependencies: ["BrowserCore", "Filters", "Raster", "TestSupport"],
            exclude: ["Browse/Snapshots", "CacheScreen/Snapshots", "PrefetchScreen/Snapshots"]),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal", "BrowserCore", "Raster", "TestSupport"]),
        .testTarget(
            name: "DemoServerTests",
            dependencies: ["DemoServer", "FaultServer", "TestSupport"]),
        .testTarget(
            name: "BrowserAppTests",
            dependencies: [
                "BrowserApp", "BrowserCore", "FaultServer", "ImageLoading", "Lists", "Raster", "Retrying", "Terminal",
                "TerminalGraphics", "TestSupport",
            ]),
        .testTarget(name: "AssetsTests", dependencies: ["Assets", "TestSupport"]),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "alcedo", "DemoServer", "FaultServer", "GalleryExample", "ImageLoading", "MigrationExample", "Raster",
                "TestSupport",
            ],
            exclude: ["Snapshots"]),
        .testTarget(
            name: "ScreenTests",
            dependencies: [
                "alcedo", "BrowserCore", "FaultServer", "GalleryExample", "Raster", "Terminal", "TestSupport",
            ], exclude: ["Snapshots"]),
    ]
)

/// One set of settings for every Swift target of ours.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// Loops over pixels are 100 times as slow without optimization, so debug builds optimize these targets, too.
let optimized: SwiftSetting = .unsafeFlags(["-O", "-wmo", "-num-threads", "2"], .when(configuration: .debug))
for target in package.targets where ["Raster", "ImageCodecs", "TerminalGraphics"].contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [optimized]
}
