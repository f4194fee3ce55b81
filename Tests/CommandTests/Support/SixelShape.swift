import Foundation

/// What a sixel picture is made of, read from its bytes; nil when they are none.
struct SixelShape: Equatable {
    /// As its raster attributes declare.
    let width: Int
    let height: Int
    /// The widest band and the number of bands that its body draws.
    let drawnWidth: Int
    let bands: Int
    let colors: Int

    init?(_ bytes: Data) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let match = text.prefixMatch(of: /\eP[0-9;]*q"1;1;(\d+);(\d+)/.ignoresCase()) else { return nil }
        guard let width = Int(match.1), let height = Int(match.2) else { return nil }
        (self.width, self.height) = (width, height)
        let body = text[match.range.upperBound...]
        guard let end = body.firstRange(of: "\u{1B}\\") else { return nil }
        let drawing = body[..<end.lowerBound]
        let rows = drawing.split(separator: "-", omittingEmptySubsequences: false).filter { !$0.isEmpty }
        bands = rows.count
        drawnWidth = rows.flatMap { $0.split(separator: "$") }.map(Self.columns).max() ?? 0
        colors = drawing.matches(of: /#\d+;2;\d+;\d+;\d+/).count
    }

    /// How many columns one pass over a band draws.
    private static func columns(_ pass: Substring) -> Int {
        let plain = pass.replacing(/#[0-9;]*/, with: "")
        let repeated = plain.matches(of: /!(\d+)./).compactMap { Int($0.1) }.reduce(0, +)
        return repeated + plain.replacing(/!\d+./, with: "").filter { ("?"..."~").contains($0) }.count
    }
}
