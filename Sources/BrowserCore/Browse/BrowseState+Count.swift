extension BrowseState {
    /// The largest number that is taken before a key: more rows than any list has.
    private static let countLimit = 99_999_999

    /// Takes a digit as part of the number before a key; false where it means something else.
    ///
    /// In full screen and while a picture is zoomed, digits keep their own meaning, as do those that the user chose keys
    /// for.
    mutating func appendDigit(_ key: Key) -> Bool {
        guard case .character(let character) = key, character.isASCII, let digit = character.wholeNumberValue,
            !isFullScreen, zoom.isFit, !options.keyMap.isChosen(key), digit > 0 || pendingCount != nil
        else { return false }
        pendingCount = min((pendingCount ?? 0) * 10 + digit, Self.countLimit)
        return true
    }

    /// The typed part of an incomplete command, such as `4g`; empty when there is none.
    var pendingKeys: String {
        guard focus == .list else { return "" }
        return (pendingCount.map { String($0) } ?? "") + (firstKey.map { KeyName.sign($0, glyphs) } ?? "")
    }
}
