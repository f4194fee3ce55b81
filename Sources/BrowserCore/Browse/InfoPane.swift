import AlcedoScreen
import Raster

/// The preview's title, and below the picture three short lines or all details.
struct InfoPane {
    let state: BrowseState
    let layout: BrowseLayout

    private var glyphs: GlyphSet { state.glyphs }
    private var rect: Rect { layout.info }

    func draw(_ canvas: inout Canvas) {
        guard let index = state.selection else { return }
        let text = PictureText(item: state.list.items[index], facts: state.slot.picture, glyphs: glyphs)
        drawTitle(text, &canvas)
        guard !rect.isEmpty else { return }
        if rect.row > layout.preview.row, !layout.isBeside {
            canvas.rule(Rect(column: rect.column, row: rect.row - 1, columns: rect.columns, rows: 1))
        }
        if state.showsInfo, !state.isFolderSelected { drawDetails(&canvas) } else { drawShort(text, &canvas) }
    }

    private func drawTitle(_ text: PictureText, _ canvas: inout Canvas) {
        guard let row = layout.titleRow else { return }
        let activity = activity ?? StyledText()
        let (start, width) = (layout.preview.column + 1, layout.preview.columns - 2)
        canvas.write(activity, endingAt: start + width, row, width: width)
        canvas.write(text.item.name, start, row, width: width - activity.width, .heading, cut: .middle)
    }

    private func drawShort(_ text: PictureText, _ canvas: inout Canvas) {
        let folder = state.place?.shown(text.folder) ?? text.folder
        canvas.write(folder, rect.column, rect.row, width: rect.columns, .dim, cut: .middle)
        if let summary = state.folderSummary {
            canvas.write(line(summary), rect.column, rect.row + 1, width: rect.columns)
            return
        }
        let size = text.facts.map { Units.bytes($0.bytes) }
        let origin = text.warning == nil ? text.origin : nil
        let facts = line([text.format, size, frames(text), origin], warning: text.warning)
        canvas.write(facts, rect.column, rect.row + 1, width: rect.columns)
        let shown = text.shown(zoom: state.zoom)
        let drawn = line([shown.first { CellWidth.of($0) <= rect.columns } ?? shown.last, text.facts?.processor])
        canvas.write(drawn, rect.column, rect.row + 2, width: rect.columns)
    }

    /// Returns as many of the first facts as fit.
    private func line(_ parts: [String?], warning: String? = nil) -> StyledText {
        let known = parts.compactMap { $0 }.filter { !$0.isEmpty }.map { StyledText($0, .dim) }
        var line = StyledText()
        for part in known + (warning.map { [StyledText($0, .warning)] } ?? []) {
            guard line.width == 0 || line.width + 3 + part.width <= rect.columns else { break }
            line.append(part, gap: 3)
        }
        return line
    }

    private func drawDetails(_ canvas: inout Canvas) {
        let table = state.detailTable(state.detailLines, width: rect.columns, isBelow: !layout.isBeside)
        let next = table.draw(in: rect, from: state.details.top, glyphs: glyphs, &canvas)
        if !state.details.isKnown, state.now - state.details.start >= 100, next < rect.row + rect.rows {
            canvas.write(glyphs.spin(at: state.now), rect.column, next, width: 1, .accent)
        }
    }

    private func frames(_ text: PictureText) -> String? {
        text.frames(stoppedAt: state.isMotionPaused ? state.slot.playTime(at: state.now) : nil)
    }

    /// A spinner for a running request while a picture is shown.
    private var activity: StyledText? {
        guard case .picture(_, _, let indicator?) = state.slot.content(at: state.now) else { return nil }
        var line = StyledText("  " + glyphs.spin(at: state.now), .accent)
        if let total = indicator.total {
            line.append(Fitting.pad(Units.percent(indicator.received, of: total), to: 6, .trailing))
        }
        return line
    }
}

/// The texts about a picture.
struct PictureText {
    let item: BrowseItem
    let facts: ShownPicture?
    let glyphs: GlyphSet

    /// Returns `1680×1050`.
    func pixels(_ width: Int, _ height: Int) -> String { "\(width)\(glyphs.times)\(height)" }

    /// `1680×1050 JPEG`.
    var format: String? {
        facts.map {
            "\(pixels($0.originalSize.width, $0.originalSize.height)) \($0.format)"
                + ($0.damage.isEmpty ? "" : ", \($0.damage)")
        }
    }

    /// `fetched 214 ms`.
    var origin: String? { origins?.short }
    /// The origin in full: `from the network, 214 ms`.
    var source: String? { origins?.long }

    private var origins: (short: String, long: String)? {
        guard let facts else { return nil }
        let time = Units.duration(milliseconds: facts.milliseconds)
        return switch facts.origin {
        case .network: ("fetched \(time)", "from the network, \(time)")
        case .disk: ("from disk \(time)", "from the disk cache, \(time)")
        case .expired:
            (
                "from disk \(time), expired; its host is away",
                "from the disk cache, \(time), expired; its host does not answer"
            )
        case .memory: ("from memory", "from memory")
        case .file: ("read \(time)", "from the file, \(time)")
        }
    }

    /// The problem of a picture that is shown nevertheless.
    var warning: String? { facts?.origin == .expired ? "expired, host away" : nil }

    /// Returns `shown at 616×394 (41 %)`, with the size of an original pixel, and shorter forms; nothing without a picture.
    func shown(zoom: Zoom) -> [String] {
        guard let facts else { return [] }
        let (size, percent) = (pixels(facts.size.width, facts.size.height), Self.percent(zoom.scale(of: facts)))
        return ["shown at \(size) (\(percent))", "\(size) (\(percent))", percent]
    }

    /// Returns `41 %`; never 0.
    static func percent(_ scale: Double) -> String { scale < 0.01 ? "<1 %" : "\(Int((scale * 100).rounded())) %" }

    /// Returns `page 2 of 12`, `24 frames`, or `frame 3 of 24` for an animation that was paused at a time; nil for a still
    /// picture.
    func frames(stoppedAt time: Int?) -> String? {
        if let facts, facts.pages > 1 { return "page \(Units.count(facts.page)) of \(Units.count(facts.pages))" }
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
