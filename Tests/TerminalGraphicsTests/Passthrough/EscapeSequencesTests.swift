import Testing

@testable import TerminalGraphics

@Suite(.timeLimit(.minutes(1))) struct EscapeSequencesTests {
    @Test(arguments: [
        ["ab", "^[1;2H", "c"], ["^P0q~^x^\\", "^_G^\\", "^]0;x\u{7}", "^]1;y^\\", "z"], ["^(B", "^7", "^[0m"],
        ["a", "^Pno end^[m"], ["a", "^[12"], ["^_G\u{7}x^\\", "y"], ["x", "^"], ["^", "^m", "^\\"],
    ])
    func `a stream is split into escape sequences and the text between them`(expected: [String]) {
        let pieces = expected.map { Array($0.replacing("^", with: "\u{1B}").utf8) }
        #expect(EscapeSequences.pieces(of: Array(pieces.joined())).map(Array.init) == pieces)
    }
}
