// swift-tools-version: 6.2
import PackageDescription

/// The condition of what only the trait of pictures needs.
let images: TargetDependencyCondition? = .when(traits: ["Images"])

let package = Package(
    name: "alcedo",
    products: [
        .executable(name: "alcedo", targets: ["alcedo"]),
        .library(name: "ImageLoading", targets: ["ImageLoading", "Retrying", "Raster"]),
        .library(name: "DecoderSandbox", targets: ["AlcedoCZygote"]),
        .library(name: "Retrying", targets: ["Retrying"]),
        .library(name: "RetryingCombine", targets: ["RetryingCombine"]),
        .library(name: "ExponentialBackOff", targets: ["ExponentialBackOff"]),
        .library(name: "TerminalGraphics", targets: ["TerminalGraphics", "Raster"]),
        .library(
            name: "TerminalImageView", targets: ["TerminalImageView", "ImageLoading", "TerminalGraphics", "Raster"]),
        .library(name: "BrowserApp", targets: ["BrowserApp"]),
        .library(name: "KingfisherCompatibility", targets: ["KingfisherCompatibility"]),
    ],
    // What a program does not use of these, it does not resolve: `traits: []` for Retrying and ExponentialBackOff,
    // `traits: ["Combine"]` for RetryingCombine. docs/decisions/0043-packages-by-traits.md has the figures.
    traits: [
        .default(enabledTraits: ["Images", "Combine"]),
        .trait(name: "Images", description: "The packages of the program, and of all products that show pictures."),
        .trait(name: "Combine", description: "OpenCombine, for RetryingCombine."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: [
        // C libraries, in module maps: the only places that say "link".
        .systemLibrary(name: "AlcedoCNcurses", providers: [.apt(["libncursesw5-dev"])]),
        .systemLibrary(name: "AlcedoCSixel", providers: [.apt(["libsixel-dev"])]),
        .systemLibrary(name: "AlcedoCZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "AlcedoCFiles", providers: [.apt(["libc6-dev"])]),
        .systemLibrary(name: "AlcedoCGObject", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        .target(name: "AlcedoCVips", dependencies: ["AlcedoCGObject"]),
        .target(name: "AlcedoCJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        // Libraries that are loaded at run time: libavif, libjxl and FFmpeg's; libarchive.
        .target(name: "AlcedoCFrames"),
        .target(name: "AlcedoCArchive"),
        // HTTP, and codings: libcurl, brotli and zstd, loaded at their first use.
        .target(name: "AlcedoCCurl"),
        .target(name: "AlcedoCCodings"),
        .systemLibrary(name: "AlcedoCDeflate", pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(name: "AlcedoCPCRE", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "AlcedoCNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "AlcedoCSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "AlcedoCWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .target(name: "AlcedoCTerminalGuard"),
        // Helper processes for decoding; linking CZygote forks their parent when a program is loaded.
        .target(name: "AlcedoCSandbox"),
        .target(name: "AlcedoCZygote", dependencies: ["AlcedoCSandbox"], linkerSettings: [.linkedLibrary("seccomp")]),
        .systemLibrary(name: "AlcedoCCommit", providers: [.apt(["libc6-dev"])]),

        // The line: list → source → cache → download → decode → process → transition → quantize → sixel → terminal.
        .target(name: "Raster"),
        .target(name: "AlcedoFilters", dependencies: ["Raster", "AlcedoComparison", "AlcedoSupport", "AlcedoCPCRE"]),
        .target(name: "AlcedoComparison", dependencies: ["Raster"]),
        .target(name: "Retrying"),
        // The model libraries' own words for it.
        .target(
            name: "RetryingCombine",
            dependencies: [
                "Retrying",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["Combine"])),
                .product(name: "OpenCombineShim", package: "OpenCombine", condition: .when(traits: ["Combine"])),
            ]),
        .target(name: "ExponentialBackOff", dependencies: ["Retrying"]),
        .target(name: "AlcedoSupport", dependencies: ["AlcedoCFiles"]),
        .target(
            name: "AlcedoFileOperations", dependencies: ["AlcedoSupport", "AlcedoScreen", "AlcedoCFiles", "Raster"]),
        .target(name: "AlcedoLists", dependencies: ["Raster", "AlcedoCZlib", "AlcedoSupport"]),
        .target(
            name: "AlcedoImageCodecs",
            dependencies: [
                "Raster", "AlcedoSupport", "AlcedoCVips", "AlcedoCJPEG", "AlcedoCDeflate", "AlcedoCWebP",
                "AlcedoCFrames", "AlcedoCCodings",
            ]),
        .target(
            name: "AlcedoSandbox",
            dependencies: ["AlcedoImageCodecs", "Raster", "AlcedoSupport", "AlcedoCSandbox", "AlcedoCArchive"]),
        .target(name: "AlcedoSQLite", dependencies: ["AlcedoCSQLite"]),
        .target(
            name: "AlcedoDiskCache",
            dependencies: [
                "Raster", "AlcedoSupport", "AlcedoComparison", "AlcedoFilters", "AlcedoSQLite", "AlcedoCNettle",
            ]),
        .target(name: "AlcedoHTTPRequests", dependencies: ["Retrying", "AlcedoSupport"]),
        .target(
            name: "AlcedoHTTPDownload",
            dependencies: [
                "AlcedoHTTPRequests", "Retrying", "AlcedoSupport", "AlcedoCDeflate", "AlcedoCCurl", "AlcedoCCodings",
            ]),
        .target(
            name: "ImageLoading",
            dependencies: [
                "Raster", "AlcedoSupport", "AlcedoFilters", "Retrying", "AlcedoImageCodecs", "AlcedoSandbox",
                "AlcedoDiskCache",
                "AlcedoHTTPRequests", "AlcedoHTTPDownload",
                .product(name: "DequeModule", package: "swift-collections", condition: images),
            ]),
        .target(name: "TerminalGraphics", dependencies: ["Raster", "AlcedoCSixel", "AlcedoCZlib"]),
        .target(name: "AlcedoScreen", dependencies: ["Raster", "AlcedoSupport"]),
        .target(
            name: "AlcedoBrowserCore",
            dependencies: ["Raster", "AlcedoComparison", "AlcedoFilters", "AlcedoScreen", "AlcedoFileOperations"]),
        .target(name: "AlcedoCacheScreen", dependencies: ["Raster", "AlcedoScreen"]),
        .target(
            name: "TerminalImageView",
            dependencies: ["Raster", "Retrying", "ImageLoading", "TerminalGraphics", "AlcedoScreen"]),
        .target(
            name: "KingfisherCompatibility",
            dependencies: [
                "Raster", "Retrying", "AlcedoImageCodecs", "AlcedoDiskCache", "AlcedoHTTPRequests",
                "AlcedoHTTPDownload", "ImageLoading", "TerminalGraphics", "TerminalImageView",
            ]),
        .target(
            name: "AlcedoTerminal",
            dependencies: [
                "Raster", "AlcedoSupport", "TerminalGraphics", "AlcedoScreen", "AlcedoCNcurses", "AlcedoCTerminalGuard",
            ]),
        .target(
            name: "AlcedoConfig",
            dependencies: [
                "Raster", "AlcedoSupport", "AlcedoFilters", "Retrying", "ImageLoading", "TerminalGraphics",
                "AlcedoScreen", "AlcedoBrowserCore", "AlcedoTerminal", "AlcedoLists", "AlcedoAssets",
            ]),
        .target(
            name: "AlcedoPrefetch",
            dependencies: [
                "AlcedoConfig", "Raster", "AlcedoSupport", "AlcedoFilters", "Retrying", "ImageLoading",
                "TerminalGraphics", "AlcedoScreen", "AlcedoTerminal", "AlcedoBrowserCore", "AlcedoLists",
                "AlcedoCFiles", "AlcedoFileOperations",
            ],
            resources: [.embedInCode("Report/report.html")]),
        .target(
            name: "AlcedoTools",
            dependencies: [
                "AlcedoConfig", "AlcedoPrefetch", "Raster", "AlcedoComparison", "AlcedoFilters", "ImageLoading",
                "TerminalGraphics", "AlcedoScreen", "AlcedoBrowserCore", "AlcedoCacheScreen", "AlcedoTerminal",
                "AlcedoLists", "AlcedoSupport", "AlcedoFileOperations",
            ]),
        .target(
            name: "BrowserApp",
            dependencies: [
                "AlcedoConfig", "AlcedoPrefetch", "AlcedoTools", "Raster", "AlcedoSupport", "AlcedoFilters", "Retrying",
                "ImageLoading", "TerminalGraphics", "TerminalImageView", "AlcedoScreen", "AlcedoBrowserCore",
                "AlcedoTerminal", "AlcedoLists", "AlcedoAssets", "AlcedoCZygote", "AlcedoComparison",
                "AlcedoCacheScreen", "AlcedoFileOperations",
            ]),
        .target(name: "AlcedoDemoServer"),
        .target(
            name: "AlcedoAssets", path: "assets",
            exclude: ["README.md", "make-pictures.py", "make-screenshot", "painting", "pictures", "screenshot.png"]),
        .executableTarget(
            name: "alcedo",
            dependencies: [
                "BrowserApp", "AlcedoConfig", "AlcedoPrefetch", "AlcedoTools", "ImageLoading", "AlcedoSupport",
                "AlcedoFilters", "AlcedoLists", "AlcedoDemoServer", "AlcedoAssets", "Raster", "AlcedoCCommit",
                "AlcedoFileOperations",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: images),
            ]),

        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "AlcedoAssets", "AlcedoComparison", "AlcedoCSixel", "AlcedoDemoServer", "AlcedoSQLite", "ImageLoading",
                "Raster", "TerminalGraphics", "TestSupport",
            ],
            path: "Benchmarks", exclude: ["Limit", "RESULTS.md", "duplicates.py", "run-measured.py", "write-results"]),
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
            name: "MigrationExample",
            dependencies: ["TerminalImageView", "ImageLoading", "Retrying", "ExponentialBackOff"],
            path: "Examples/Migration/Sources/Migration", packageAccess: false),

        // Tests, one to one with the targets; then those of the whole.
        .target(name: "CHostileDecoder", dependencies: ["AlcedoCSandbox"], path: "Tests/CHostileDecoder"),
        .target(
            name: "TestSupport", dependencies: ["AlcedoScreen", "AlcedoBrowserCore", "Raster"],
            path: "Tests/TestSupport"),
        .target(
            name: "ImageTestSupport", dependencies: ["AlcedoImageCodecs", "Raster", "TestSupport"],
            path: "Tests/ImageTestSupport"),
        .target(
            name: "FaultServer",
            dependencies: ["AlcedoDemoServer", "TestSupport"],
            path: "Tests/FaultServer", exclude: ["TLS/tls-relay.py"]),
        .testTarget(name: "RasterTests", dependencies: ["Raster", "TestSupport"]),
        .testTarget(
            name: "FileOperationsTests",
            dependencies: ["AlcedoFileOperations", "AlcedoSupport", "Raster", "TestSupport"]),
        .testTarget(name: "ComparisonTests", dependencies: ["AlcedoComparison", "Raster", "TestSupport"]),
        .testTarget(name: "SupportTests", dependencies: ["AlcedoSupport", "TestSupport"]),
        .testTarget(name: "FiltersTests", dependencies: ["AlcedoFilters", "Raster", "TestSupport"]),
        .testTarget(name: "RetryingTests", dependencies: ["Retrying", "TestSupport"]),
        .testTarget(name: "RetryingCombineTests", dependencies: ["RetryingCombine", "TestSupport"]),
        .testTarget(name: "ExponentialBackOffTests", dependencies: ["ExponentialBackOff", "TestSupport"]),
        .testTarget(name: "ListsTests", dependencies: ["AlcedoLists", "AlcedoCZlib", "AlcedoSupport", "TestSupport"]),
        .testTarget(
            name: "ImageCodecsTests",
            dependencies: ["AlcedoImageCodecs", "Raster", "ImageTestSupport", "TestSupport"]),
        .testTarget(
            name: "SandboxTests",
            dependencies: [
                "AlcedoSandbox", "AlcedoImageCodecs", "Raster", "AlcedoSupport", "CHostileDecoder", "AlcedoCSandbox",
                "AlcedoCZygote", "ImageTestSupport", "TestSupport",
            ]),
        .testTarget(name: "SQLiteTests", dependencies: ["AlcedoSQLite", "TestSupport"]),
        .testTarget(
            name: "DiskCacheTests",
            dependencies: [
                "AlcedoDiskCache", "AlcedoSQLite", "AlcedoFilters", "Raster", "AlcedoSupport", "TestSupport",
            ]),
        .testTarget(name: "HTTPRequestsTests", dependencies: ["AlcedoHTTPRequests", "TestSupport"]),
        .testTarget(
            name: "HTTPDownloadTests",
            dependencies: [
                "AlcedoHTTPRequests", "AlcedoHTTPDownload", "AlcedoCCurl", "AlcedoCDeflate", "AlcedoImageCodecs",
                "Raster", "Retrying", "FaultServer", "ImageTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "ImageLoadingTests",
            dependencies: [
                "ImageLoading", "AlcedoDiskCache", "AlcedoHTTPRequests", "AlcedoHTTPDownload", "AlcedoFilters",
                "AlcedoSupport", "Raster", "Retrying",
                "FaultServer", "ImageTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "TerminalGraphicsTests",
            dependencies: ["TerminalGraphics", "Raster", "AlcedoCSixel", "AlcedoCZlib", "TestSupport"]),
        .testTarget(
            name: "TerminalImageViewTests", dependencies: ["TerminalImageView", "TestSupport"]),
        .testTarget(
            name: "KingfisherCompatibilityTests",
            dependencies: ["KingfisherCompatibility", "FaultServer", "ImageTestSupport", "TestSupport"]),
        .testTarget(
            name: "BrowserCoreTests",
            dependencies: [
                "AlcedoScreen", "AlcedoBrowserCore", "AlcedoFileOperations", "AlcedoFilters", "AlcedoSupport", "Raster",
                "TestSupport",
            ],
            exclude: ["Browse/Snapshots", "PrefetchScreen/Snapshots"]),
        .testTarget(
            name: "CacheScreenTests",
            dependencies: ["AlcedoScreen", "AlcedoCacheScreen", "Raster", "TestSupport"],
            exclude: ["Snapshots"]),
        .testTarget(
            name: "TerminalTests",
            dependencies: [
                "AlcedoTerminal", "TerminalGraphics", "AlcedoScreen", "AlcedoBrowserCore", "Raster", "TestSupport",
            ]),
        .testTarget(
            name: "DemoServerTests",
            dependencies: ["AlcedoDemoServer", "FaultServer", "TestSupport"]),
        .target(
            name: "ProgramTestSupport",
            dependencies: [
                "AlcedoConfig", "AlcedoScreen", "AlcedoBrowserCore", "AlcedoTerminal", "ImageLoading", "Raster",
                "TestSupport",
            ], path: "Tests/ProgramTestSupport"),
        .testTarget(
            name: "ConfigTests",
            dependencies: [
                "AlcedoConfig", "AlcedoScreen", "AlcedoBrowserCore", "AlcedoTerminal", "AlcedoLists", "ImageLoading",
                "Raster", "Retrying", "TerminalGraphics", "FaultServer", "ProgramTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "PrefetchTests",
            dependencies: [
                "AlcedoPrefetch", "AlcedoConfig", "AlcedoFilters", "AlcedoScreen", "AlcedoBrowserCore", "AlcedoLists",
                "AlcedoSupport",
                "ImageLoading", "Raster", "Retrying", "FaultServer", "ProgramTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "ToolsTests",
            dependencies: [
                "AlcedoTools", "AlcedoConfig", "AlcedoPrefetch", "AlcedoScreen", "AlcedoTerminal", "ImageLoading",
                "Raster", "TerminalGraphics", "FaultServer", "ProgramTestSupport", "TestSupport",
            ]),
        .testTarget(
            name: "BrowserAppTests",
            dependencies: [
                "BrowserApp", "AlcedoTools", "AlcedoPrefetch", "AlcedoConfig", "AlcedoScreen", "AlcedoBrowserCore",
                "AlcedoCacheScreen", "FaultServer", "ImageLoading", "AlcedoLists", "Raster", "Retrying",
                "AlcedoTerminal", "TerminalGraphics", "ProgramTestSupport", "TestSupport",
            ]),
        .testTarget(name: "AssetsTests", dependencies: ["AlcedoAssets", "TestSupport"]),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "alcedo", "AlcedoConfig", "AlcedoPrefetch", "AlcedoDemoServer", "FaultServer", "GalleryExample",
                "ImageLoading", "ImageTestSupport", "MigrationExample", "Raster",
                "TestSupport",
            ],
            exclude: ["Snapshots"]),
        .testTarget(
            name: "ScreenTests",
            dependencies: [
                "alcedo", "AlcedoScreen", "AlcedoBrowserCore", "FaultServer", "GalleryExample", "Raster",
                "AlcedoTerminal",
                "TestSupport",
            ], exclude: ["Snapshots"]),
    ]
)

// Targets that are no product have a prefix, because target names are unique among all packages of a program. Their
// folders have none; those of C lie together.
for target in package.targets where target.path == nil && target.name.hasPrefix("Alcedo") {
    let name = target.name.dropFirst("Alcedo".count)
    let isC = name.first == "C" && name.dropFirst().first?.isUppercase == true
    target.path = "Sources/\(isC ? "C/" : "")\(name)"
}

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
for target in package.targets
where ["Raster", "AlcedoComparison", "AlcedoImageCodecs", "AlcedoSandbox", "TerminalGraphics"].contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [optimized]
}
