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

    /// Gives the screen back when nothing is half written.
    ///
    /// `erasesPictures` is for terminals that know kitty's pictures, or ignore what they do not know.
    static func leave(erasesPictures: Bool) -> [UInt8] {
        let modes: [ControlSequence] = [
            .disableMouse, .disableBracketedPaste, .disableFocusReports, .resetStyle, .showCursor,
            .leaveAlternateScreen,
        ]
        return ((erasesPictures ? [.eraseKittyPictures] : []) + modes).bytes
    }

    /// Gives the screen back whatever was being written: the crash guard's last words, under 256 bytes.
    static func abandon(erasesPictures: Bool) -> [UInt8] {
        let upload: [ControlSequence] = erasesPictures ? [.endKittyUpload] : []
        return PictureCut.cancellation + (upload + [.endUpdate]).bytes + leave(erasesPictures: erasesPictures)
    }
}
