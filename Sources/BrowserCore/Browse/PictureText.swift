import Raster

/// The texts about a picture.
struct PictureText {
    let item: BrowseItem
    let facts: PictureFacts?
    let glyphs: GlyphSet

    /// Returns `1680×1050`.
    func pixels(_ width: Int, _ height: Int) -> String { "\(width)\(glyphs.times)\(height)" }

    /// `1680×1050 JPEG`.
    var format: String? {
        facts.map { "\(pixels($0.originalSize.width, $0.originalSize.height)) \($0.format)" }
    }

    /// `fetched 214 ms`.
    var origin: String? { origins?.short }
    /// The origin in full: `from the network in 214 ms`.
    var source: String? { origins?.long }

    private var origins: (short: String, long: String)? {
        guard let facts else { return nil }
        let time = Units.duration(milliseconds: facts.milliseconds)
        return switch facts.origin {
        case .network: ("fetched \(time)", "from the network in \(time)")
        case .disk: ("from disk \(time)", "from the disk cache in \(time)")
        case .expired:
            (
                "from disk \(time), expired; its host is away",
                "from the disk cache in \(time), expired; its host does not answer"
            )
        case .memory: ("from memory \(time)", "from memory in \(time)")
        case .file: ("read \(time)", "from the file in \(time)")
        }
    }

    /// The problem of a picture that is shown nevertheless.
    var warning: String? { facts?.origin == .expired ? "expired, host away" : nil }

    /// Returns `shown at 616×394 (41 %)`, with the size of an original pixel.
    func shown(zoom: Zoom) -> String? {
        facts.map { "shown at \(pixels($0.size.width, $0.size.height)) (\(Self.percent(zoom.scale(of: $0))))" }
    }

    /// Returns `41 %`; never 0.
    static func percent(_ scale: Double) -> String { scale < 0.01 ? "<1 %" : "\(Int((scale * 100).rounded())) %" }

    /// Returns `24 frames`, or `frame 3 of 24` for an animation that was paused at a time; nil for a still picture.
    func frames(stoppedAt time: Int?) -> String? {
        guard let facts, facts.frames > 1 else { return nil }
        let count = Units.count(facts.frames)
        guard let time, let delay = facts.frameDelay, delay > 0 else { return "\(count) frames" }
        return "frame \(Units.count(time / delay % facts.frames + 1)) of \(count)"
    }

    /// The location without scheme, query and last component: `images.example.org/2026/07`.
    var folder: String {
        let folder = AddressParts(item.location).folder
        return folder.isEmpty ? item.place : folder
    }
}
