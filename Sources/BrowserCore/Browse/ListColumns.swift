/// The columns of a list's rows; they depend only on the width, so that they stay aligned while values change.
struct ListColumns: Equatable {
    /// A range of cells in a row.
    struct Span: Equatable {
        let start: Int
        let width: Int

        var end: Int { start + width }
    }

    static let selected = 1
    static let mark = 2
    private static let gap = 2
    private static let barWidth = 8
    /// The width of `10000×10000`.
    private static let dimensionsWidth = 11
    /// The width of `JPEG` with the sign of an animation.
    private static let typeWidth = 6

    /// The column of the status sign.
    let sign: Int
    /// The end of the facts at the right.
    let edge: Int
    let name: Span
    /// The host or the folder.
    private(set) var place: Span?
    private(set) var dimensions: Span?
    private(set) var type: Span?
    /// A transfer's bar, percentage and rate, or a reason across all of them; the last cells hold a size.
    let facts: Span
    let bar: Span?
    let share: Span?
    let rate: Span?

    /// Creates the columns of a list.
    ///
    /// - Parameter hasPlaces: whether the rows come from several hosts or folders.
    init(width: Int, hasPlaces: Bool) {
        sign = Self.mark + (width >= 36 ? 3 : 2)
        edge = width - (width >= 40 ? 2 : 1)
        let start = sign + 2
        let room = max(0, edge - start)
        let shareWidth = room >= 41 ? Units.percentWidth : Units.bytesWidth
        rate = room >= 41 ? Span(start: edge - Units.rateWidth, width: Units.rateWidth) : nil
        let shareEnd = rate.map { $0.start - Self.gap } ?? edge
        share = room >= 20 ? Span(start: shareEnd - shareWidth, width: shareWidth) : nil
        bar = share.flatMap { share in
            room >= 29 ? Span(start: share.start - 1 - Self.barWidth, width: Self.barWidth) : nil
        }
        let factsStart = (bar ?? share)?.start ?? edge
        facts = Span(start: factsStart, width: edge - factsStart)
        let end = factsStart < edge ? factsStart - Self.gap : edge
        var nameWidth = max(0, end - start)
        if let width = Self.reserve(Self.dimensionsWidth, of: &nameWidth) { dimensions = Span(start: 0, width: width) }
        if let width = Self.reserve(Self.typeWidth, of: &nameWidth) { type = Span(start: 0, width: width) }
        if hasPlaces, nameWidth >= 36 {
            let width = min(28, max(12, nameWidth - Self.gap - 24))
            nameWidth -= width + Self.gap
            place = Span(start: start + nameWidth + Self.gap, width: width)
        }
        name = Span(start: start, width: nameWidth)
        let next = (place ?? name).end + Self.gap
        dimensions = dimensions.map { Span(start: next, width: $0.width) }
        type = type.map { Span(start: next + (dimensions.map { $0.width + Self.gap } ?? 0), width: $0.width) }
    }

    /// The room for a name in a row that shows only a size.
    var longName: Span {
        guard place == nil, dimensions == nil, type == nil, facts.width > Units.bytesWidth else { return name }
        return Span(start: name.start, width: max(0, edge - Units.bytesWidth - Self.gap - name.start))
    }

    /// Reserves a column if the name keeps 24 cells.
    ///
    /// - Returns: the column's width; nil if there is no room.
    private static func reserve(_ width: Int, of room: inout Int) -> Int? {
        guard room - width - gap >= 24 else { return nil }
        room -= width + gap
        return width
    }
}
