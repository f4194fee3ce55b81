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
    ///
    /// `erasesPictures` is for terminals that know kitty's pictures, or pass over what they do not know.
    static func leave(erasesPictures: Bool) -> [UInt8] {
        let interruption: [ControlSequence] = [.cancel, .stringTerminator]
        let modes: [ControlSequence] = [
            .endUpdate, .disableMouse, .disableBracketedPaste, .disableFocusReports, .resetStyle, .showCursor,
            .leaveAlternateScreen,
        ]
        return (interruption + (erasesPictures ? [.eraseKittyPictures] : []) + modes).bytes
    }
}
