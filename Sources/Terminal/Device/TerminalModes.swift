/// What the screen is told when it is taken and when it is given back.
enum TerminalModes {
    /// Takes the screen.
    static func enter(mouse: Bool) -> [UInt8] {
        var sequences: [ControlSequence] = [
            .enterAlternateScreen, .hideCursor, .resetStyle, .enableBracketedPaste, .enableFocusReports,
        ]
        if mouse { sequences.append(.enableMouse) }
        return sequences.bytes
    }

    /// Gives it back, whatever was being written; also the crash guard's last words, so under 256 bytes.
    static let leave: [UInt8] = [
        ControlSequence.cancel, .stringTerminator, .endUpdate, .disableMouse, .disableBracketedPaste,
        .disableFocusReports, .resetStyle, .showCursor, .leaveAlternateScreen,
    ].bytes
}
