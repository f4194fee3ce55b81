import AlcedoScreen
import Raster

/// The details of the selected item beyond its picture, and the request for them.
struct ItemDetails: Sendable, Equatable {
    /// The inputs of the details: another picture or status means that they must be requested again.
    struct Request: Sendable, Equatable {
        let item: ItemID
        let picture: PictureID?
        let kind: StatusTable.Kind
    }

    private(set) var request: Request?
    /// The time of the first request for the item.
    private(set) var start = 0
    private(set) var lines: [DetailLine] = []
    /// The shares of sixteen ranges of brightness, 0 to 1; empty if they are not known.
    private(set) var histogram: [Double] = []
    /// Whether the lines are those of the requested item.
    private(set) var isKnown = false
    /// Whether they answer the last request, so that they include the histogram of the picture that is shown.
    private(set) var isCurrent = false
    /// The first visible line.
    var top = 0
    /// The lines of the last item of which all were known: they keep the room until those of the next one are there.
    var lastLines: [DetailLine] = []
    /// The size of the last picture.
    var lastShape: PixelSize?

    /// Replaces the request.
    ///
    /// - Returns: whether the details must be requested.
    mutating func setRequest(_ new: Request?, at now: Int) -> Bool {
        guard new != request else { return false }
        if new?.item != request?.item { (lines, histogram, isKnown, top, start) = ([], [], false, 0, now) }
        (request, isCurrent) = (new, false)
        return new != nil
    }

    mutating func receive(_ found: [DetailLine], _ shares: [Double], of item: ItemID) {
        guard item == request?.item else { return }
        lines = found.map {
            DetailLine(SafeText.clean($0.label, limit: 32), SafeText.clean($0.value), $0.group)
        }
        (histogram, isKnown, isCurrent) = (shares, true, true)
    }
}

extension BrowseState {
    /// Whether the details replaced the grid and take its place.
    var detailsFillBody: Bool { showsInfo && viewBehindInfo.isGrid && !isGrid && !isFullScreen }

    /// Whether the details are visible.
    private var hasDetails: Bool { showsInfo && !showsGrid && !isFullScreen && !hasPopup && panes.hasPreview }

    /// Whether all details of the selected item are known.
    private var hasAllDetails: Bool {
        details.isCurrent && details.request?.item == selected && details.request?.picture == slot.picture?.picture
            && (slot.picture != nil || slot.hasFailed)
    }

    /// Milliseconds until the spinner of details that are being read turns; nil if none are.
    var detailsTick: Int? { showsInfo && details.request != nil && !details.isKnown ? 100 : nil }

    /// The size of the selected picture, or that of the picture before it.
    var pictureShape: PixelSize? {
        if slot.item == selected, let picture = slot.picture { return picture.originalSize }
        return selection.flatMap { list.facts[$0].size } ?? details.lastShape
    }

    /// The details that determine the place of all details, so that the picture moves but once.
    var placedDetails: [DetailLine] {
        if hasAllDetails { return detailLines }
        guard details.lastLines.isEmpty else { return details.lastLines }
        return detailLines + Array(repeating: DetailLine("", "", .camera), count: 6)
    }

    func detailTable(_ lines: [DetailLine], width: Int, isBelow: Bool) -> DetailTable {
        DetailTable(lines, width: width, isBelow: isBelow, ellipsis: glyphs.ellipsis)
    }

    /// Requests the details of the selected item while they are visible.
    mutating func refreshDetails() -> [BrowseEffect] {
        if showsInfo, hasAllDetails {
            details.lastLines = detailLines
            details.lastShape = slot.picture?.originalSize ?? details.lastShape
        }
        let request =
            showsInfo
            ? selected.map { item in
                ItemDetails.Request(
                    item: item, picture: slot.picture?.picture, kind: statuses.kind(of: item.rawValue))
            } : nil
        guard details.setRequest(request, at: now), let request else { return [] }
        return [.describe(request.item, picture: request.picture)]
    }

    /// Whether lines are left over.
    var detailsScroll: Bool { hasDetails && duplicates == nil && lastDetailsTop > 0 }

    private var lastDetailsTop: Int {
        let layout = layout
        return detailTable(detailLines, width: layout.info.columns, isBelow: !layout.isBeside)
            .lastTop(rows: layout.info.rows)
    }

    /// Scrolls the details by `J` or `K`.
    ///
    /// - Returns: false for other keys, and if all lines are visible.
    mutating func scrollDetails(_ key: Key) -> Bool {
        guard key == .character("J") || key == .character("K"), detailsScroll else { return false }
        details.top = min(max(0, details.top + (key == .character("J") ? 1 : -1)), lastDetailsTop)
        return true
    }

    /// The details of the selected item.
    var detailLines: [DetailLine] {
        guard let index = selection else { return [] }
        let text = PictureText(item: list.items[index], facts: slot.picture, glyphs: glyphs)
        let histogram =
            details.histogram.isEmpty ? [] : [DetailLine("histogram", glyphs.graph(details.histogram), .camera)]
        let known = [DetailLine("location", text.item.location), DetailLine("state", stateName(index))]
        guard let facts = text.facts, let format = text.format, let drawn = text.shown(zoom: zoom).first,
            let source = text.source
        else { return known + details.lines + histogram }
        let frames = text.frames(stoppedAt: isMotionPaused ? slot.playTime(at: now) : nil)
        let picture = [format, frames, Units.bytes(facts.bytes)].compactMap { $0 }
        let shown = [String(drawn.dropFirst("shown at ".count)), facts.processor].filter { !$0.isEmpty }
        let color = facts.color.isEmpty ? [] : [DetailLine("colour", facts.color, .picture)]
        return known + [DetailLine("picture", picture.joined(separator: ", "), .picture)] + color
            + [DetailLine("drawn", shown.joined(separator: ", "), .picture), DetailLine("loaded", source, .transfer)]
            + details.lines + histogram
    }

    private func stateName(_ index: Int) -> String {
        switch statuses.status(of: index, at: now) {
        case .waiting: isSkipped(index) ? "skipped" : "waiting"
        case .connecting: "connecting"
        case .loading(let received, _, _, _): "loading, \(Units.bytes(received)) so far"
        case .onDisk: "on disk"
        case .inMemory: "in memory"
        case .retrying(let attempt, let count, _, let reason): "\(reason); try \(attempt) of \(count) follows"
        case .parked(let seconds, let reason, _): "waiting: \(reason), \(Units.nextTry(seconds: seconds))"
        case .failed(let reason): "failed: \(reason)"
        case .gone: "the file is gone"
        case .folder: "folder"
        case .duplicate(let other): "the same as entry \(Units.count(other.rawValue &+ 1))"
        }
    }
}
