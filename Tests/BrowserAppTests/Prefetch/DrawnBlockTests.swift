import BrowserCore
import Raster
import Testing

@testable import BrowserApp

@Suite struct DrawnBlockTests {
    private let block = DrawnBlock(Frame(size: GridSize(columns: 9, rows: 3)))

    @Test(arguments: [(10, 3), (9, 3), (8, 6), (5, 6), (4, 9), (1, 27), (0, 27)])
    func aNarrowerTerminalThatWrapsAnewHasMoreRowsOfIt(columns: Int, rows: Int) {
        #expect(block.rows(columns: columns, wrapsAnew: true) == rows)
        // One that does not cuts them off.
        #expect(block.rows(columns: columns, wrapsAnew: false) == 3)
    }

    @Test func nothingTakesNoRows() { #expect(DrawnBlock().rows(columns: 4, wrapsAnew: true) == 0) }

    @Test func whichTerminalsWrapAnewIsKnownByTheirNames() {
        let known = [
            ["TMUX": "/tmp/tmux,1,0"], ["VTE_VERSION": "7006"], ["TERM": "xterm-kitty"], ["TERM": "foot-extra"],
        ]
        #expect(known.allSatisfy { DrawnBlock.wrapsAnew($0) })
        for others in [[:], ["TERM": "xterm-256color"], ["TERM": "screen"], ["TMUX": ""]] {
            #expect(!DrawnBlock.wrapsAnew(others))
        }
    }
}
