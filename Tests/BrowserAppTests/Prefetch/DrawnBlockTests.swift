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
            ["TERM": "tmux-256color"], ["TERM": "screen-256color", "TMUX": "/tmp/tmux,1,0"], ["TERM": "xterm-kitty"],
            ["TERM": "xterm-256color", "VTE_VERSION": "7006"], ["TERM": "foot-extra"],
            ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], ["TERM": "xterm-ghostty"],
            ["TERM": "xterm-256color", "KONSOLE_VERSION": "221203"], ["TERM": "xterm-256color", "WT_SESSION": "1"],
            ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"],
        ]
        #expect(known.allSatisfy { DrawnBlock.wrapsAnew($0) })
        // Also where something was inherited from the terminal that they were started in
        let others = [
            [:], ["TERM": "xterm-256color"], ["TERM": "screen", "VTE_VERSION": "7006"], ["TERM": "screen", "TMUX": ""],
            ["TERM": "xterm", "XTERM_VERSION": "XTerm(379)", "VTE_VERSION": "7006"],
            ["TERM": "xterm", "TMUX": "/tmp/tmux,1,0"],
        ]
        for environment in others { #expect(!DrawnBlock.wrapsAnew(environment)) }
    }
}
