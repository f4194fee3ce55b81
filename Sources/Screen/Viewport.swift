/// A cursor in a list of rows and the visible part of the list.
package struct Viewport: Sendable, Equatable {
    package private(set) var cursor = 0
    package private(set) var top = 0
    /// Whether the cursor last moved towards the end.
    package private(set) var isForward = true

    package init() {}

    /// Rows kept between the cursor and the edge while there are more rows beyond it.
    package static let margin = 3

    /// Moves the cursor to a row, clamped to `count` rows, and scrolls it into view.
    package mutating func move(to row: Int, count: Int, height: Int) {
        let target = min(max(0, row), max(0, count - 1))
        if target != cursor { isForward = target > cursor }
        cursor = target
        scroll(count: count, height: height)
    }

    /// Moves the cursor by some rows.
    package mutating func move(by distance: Int, count: Int, height: Int) {
        let (row, overflow) = cursor.addingReportingOverflow(distance)
        move(to: overflow ? (distance > 0 ? .max : 0) : row, count: count, height: height)
    }

    /// Moves the cursor to a row without changing the direction of travel; with `above` rows above it if there is room.
    package mutating func jump(to row: Int, count: Int, height: Int, above: Int? = nil) {
        let direction = isForward
        if let above { top = row - above }
        move(to: row, count: count, height: height)
        isForward = direction
    }

    /// Returns the visible rows.
    package func visible(count: Int, height: Int) -> Range<Int> {
        let first = min(top, max(0, count))
        return first..<max(first, min(count, first + max(0, height)))
    }

    private mutating func scroll(count: Int, height: Int) {
        guard height > 0 else { return }
        let margin = min(Viewport.margin, (height - 1) / 2)
        top = min(top, cursor - margin)
        top = max(top, cursor + margin - height + 1)
        top = max(0, min(top, count - height))
    }
}
