import Foundation
import Testing

/// The public symbols of the modules of this build: their comments, and the types that they mention.
@Suite(.timeLimit(.minutes(2))) struct PublicSymbolTests {
    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Availability: Decodable { let isUnconditionallyUnavailable: Bool? }
            struct Position: Decodable { let line: Int }
            struct Location: Decodable {
                let uri: String
                let position: Position
            }
            struct Comment: Decodable {}
            struct Identifier: Decodable { let precise: String }
            struct Fragment: Decodable { let preciseIdentifier: String? }

            let identifier: Identifier
            let declarationFragments: [Fragment]?
            let pathComponents: [String]
            let docComment: Comment?
            let location: Location?
            let availability: [Availability]?

            /// Whether the symbol is only a hint, whose message says what to write.
            var isHint: Bool { availability?.contains { $0.isUnconditionallyUnavailable == true } ?? false }
        }

        let symbols: [Symbol]
    }

    private static let modules = [
        "Raster", "Retrying", "RetryingCombine", "ExponentialBackOff", "AlcedoImageCodecs", "AlcedoSandbox",
        "AlcedoDiskCache", "AlcedoHTTPRequests", "AlcedoHTTPDownload", "ImageLoading", "TerminalGraphics",
        "TerminalImageView", "KingfisherCompatibility", "AlcedoConfig", "BrowserApp",
    ]

    #if arch(arm64)
        private static let target = "aarch64-unknown-linux-gnu"
    #else
        private static let target = "x86_64-unknown-linux-gnu"
    #endif

    /// A declaration that fulfils a protocol has the comment of the requirement.
    @Test(arguments: modules) func `every public declaration has a comment`(module: String) throws {
        let symbols = try Self.symbols(of: module)
        #expect(symbols.count > 5)
        let missing = symbols.filter { $0.docComment == nil && !$0.isHint }.map { symbol in
            let file = symbol.location?.uri.split(separator: "/Sources/").last ?? ""
            let line = (symbol.location?.position.line ?? 0) + 1
            return "\(file):\(line) \(symbol.pathComponents.joined(separator: "."))"
        }
        #expect(missing.isEmpty, "\(missing.sorted())")
    }

    /// Only whole modules are compared; `KingfisherCompatibility` exports single declarations.
    @Test func `an import brings along the modules that its API mentions, and no others`() throws {
        let symbols = Dictionary(uniqueKeysWithValues: try Self.modules.map { ($0, try Self.symbols(of: $0)) })
        let owners = Dictionary(
            symbols.flatMap { module, symbols in symbols.map { ($0.identifier.precise, module) } },
            uniquingKeysWith: { first, _ in first })
        for module in Self.modules where module != "KingfisherCompatibility" && !module.hasPrefix("Alcedo") {
            let exported = try Self.exports(of: module)
            let mentioned = exported.flatMap { symbols[$0] ?? [] }.flatMap { $0.declarationFragments ?? [] }
                .compactMap { $0.preciseIdentifier.flatMap { owners[$0] } }
            #expect(Set(mentioned).subtracting(exported) == [], "\(module) mentions more than it exports")
            let empty = exported.filter { $0.hasPrefix("Alcedo") && symbols[$0]?.isEmpty != false }
            #expect(empty == [], "\(module) exports what has nothing public")
        }
    }

    /// Returns a module and all that come with its import.
    private static func exports(of module: String) throws -> Set<String> {
        let folder = module.hasPrefix("Alcedo") ? String(module.dropFirst("Alcedo".count)) : module
        let file = BuiltModules.repository.appending(path: "Sources/\(folder)/Exports.swift")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return try text.matches(of: #/(?m)^@_exported import (\w+)$/#).reduce(into: [module]) { all, match in
            all.formUnion(try exports(of: String(match.output.1)))
        }
    }

    /// Returns the public symbols of a module of this build that have a place in its source.
    private static func symbols(of module: String) throws -> [Graph.Symbol] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (status, output) = try BuiltModules.run(
            "swift-symbolgraph-extract",
            [
                "-module-name", module, "-target", Self.target, "-minimum-access-level", "public",
                "-skip-synthesized-members", "-output-dir", folder.path(percentEncoded: false),
            ])
        #expect(status == 0, "\(output)")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.flatMap { file in
            try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file)).symbols
        }.filter { $0.location != nil }
    }
}
