import AlcedoBrowserCore
import AlcedoScreen
import AlcedoTerminal
import ProgramTestSupport
import Raster
import TerminalGraphics
import TestSupport
import Testing

@testable import AlcedoConfig
@testable import AlcedoPrefetch
@testable import AlcedoTools
@testable import BrowserApp

/// Shows a white square that grows with the bytes.
private struct Square: Indicator {
    func frame(_ moment: IndicatorContext) -> PlaceholderContent {
        .picture(PixelBuffer(size: PixelSize(width: moment.received, height: moment.received), filledWith: .white))
    }
}

@Suite(.timeLimit(.minutes(1)))
@MainActor struct PlaceholderPainterTests {
    private let presenter = PicturePresenter()
    private let cell = CellSize(width: 10, height: 20)
    private let room = Rect(column: 10, row: 2, columns: 20, rows: 4)

    private func painter(
        _ placeholder: any Placeholder = TextPlaceholder(), _ indicator: any Indicator = Square(), isASCII: Bool = false
    ) -> PlaceholderPainter {
        PlaceholderPainter(placeholder: placeholder, indicator: indicator, isASCII: isASCII, presenter: presenter)
    }

    private func frame(_ roles: PlaceholderArea.Role...) -> Frame {
        var frame = Frame(size: GridSize(columns: 40, rows: 10))
        frame.placeholders = roles.map { PlaceholderArea(rect: room, role: $0) }
        return frame
    }

    private func square(_ side: Int) -> PlaceholderArea.Role { .indicator(elapsed: 100, received: side, total: nil) }

    @Test func `a placeholder text is centred in its area`() {
        var frame = frame(.placeholder(name: "dunes.jpg", place: "host"))
        painter().paint(&frame, cell: cell)
        let lines = (0..<10).map { frame.row($0) }
        #expect(lines[3].trimmingPrefix(while: \.isWhitespace).hasPrefix("dunes.jpg"))
        #expect(lines[3].prefix(while: \.isWhitespace).count == 15)
        #expect(lines[4].contains("host"))
    }

    @Test func `a long text is clipped to its area and control characters are removed`() {
        var frame = frame(.placeholder(name: String(repeating: "long", count: 20), place: "a\u{1B}[2Jb"))
        painter().paint(&frame, cell: cell)
        for row in 0..<10 {
            for column in 0..<40 where !(10..<30).contains(column) || !(2..<6).contains(row) {
                #expect(frame[column, row].character == " ")
            }
        }
        #expect(!frame.text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }

    @Test func `in ASCII mode other characters are replaced`() {
        var frame = frame(.placeholder(name: "düne", place: ""))
        painter(isASCII: true).paint(&frame, cell: cell)
        #expect(frame.text.contains("d?ne"))
    }

    @Test func `a picture is centred in its area`() {
        var frame = frame(square(20))
        painter().paint(&frame, cell: cell)
        #expect(frame.pictures.map(\.rect) == [Rect(column: 19, row: 3, columns: 2, rows: 1)])
    }

    @Test func `a picture larger than its area is scaled down`() {
        var frame = frame(square(1000))
        painter().paint(&frame, cell: cell)
        #expect(frame.pictures.map(\.rect) == [Rect(column: 16, row: 2, columns: 8, rows: 4)])
    }

    @Test func `an empty picture is not placed`() {
        var frame = frame(square(0))
        painter().paint(&frame, cell: cell)
        #expect(frame.pictures.isEmpty)
    }

    @Test func `placeholder and indicator keep their picture IDs when their content changes`() {
        // Given a placeholder and an indicator, both pictures
        let painter = painter(PicturePlaceholder(PixelBuffer(size: PixelSize(width: 9, height: 9), filledWith: .black)))
        // When the indicator goes on
        let names = [10, 20, 20].map { side in
            var frame = frame(.placeholder(name: "a", place: ""), square(side))
            painter.paint(&frame, cell: cell)
            return frame.pictures.map(\.picture)
        }
        // Then neither changes its name
        #expect(Set(names).count == 1)
        #expect(Set(names[0]).count == 2)
    }
}
