import AlcedoSupport

/// The sanitizer for untrusted text: its results can be drawn in a terminal and have no other effect.
///
/// Controls (C0, DEL, C1, line and paragraph separators) and private, unassigned or broken code points become U+FFFD.
/// Bidi controls and everything else that is invisible by design (format characters, joiners, variation selectors,
/// tags) are removed, so that all terminals agree on the width of the rest. Other spaces become plain ones. A byte of a
/// path that is no UTF-8 becomes `\xE9`.
package enum SafeText {
    /// The maximum number of scalars kept by default.
    package static let defaultLimit = 512
    /// The maximum number of combining marks on one base; a curses cell holds a base and four more scalars.
    package static let marksPerBase = 4

    /// Returns the text without dangerous characters, cut with `…` after `limit` scalars of input.
    ///
    /// With `keepsEnd`, it is cut in its middle instead, because the end of a name is significant.
    /// Complexity: O(limit).
    package static func clean(_ text: String, limit: Int = defaultLimit, keepsEnd: Bool = false) -> String {
        if isPlain(text, limit: limit) { return text }
        let (scalars, limit) = (text.unicodeScalars, max(0, limit))
        if scalars.dropFirst(limit).isEmpty { return clean(scalars[...]) }
        guard keepsEnd else { return clean(scalars.prefix(limit)) + "…" }
        return clean(scalars.prefix(limit - limit / 2)) + "…" + clean(scalars.suffix(limit / 2))
    }

    private static func clean(_ scalars: Substring.UnicodeScalarView) -> String {
        var cleaner = Cleaner()
        for scalar in scalars { cleaner.append(scalar) }
        return cleaner.text
    }

    /// Whether a grapheme can become a cell unchanged.
    package static func isSafe(_ character: Character) -> Bool {
        if let byte = character.asciiValue { return (0x20..<0x7F).contains(byte) && character.utf8.count == 1 }
        var marks = 0
        for scalar in character.unicodeScalars {
            switch treatment(of: scalar) {
            case .replace, .remove: return false
            case .mark: marks += 1
            case .keep, .space: break
            }
        }
        return marks <= marksPerBase
    }

    private static func isPlain(_ text: String, limit: Int) -> Bool {
        text.utf8.count <= limit && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    fileprivate enum Treatment {
        case keep, mark, space, replace, remove
    }

    fileprivate static func treatment(of scalar: Unicode.Scalar) -> Treatment {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return .remove }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: return .replace
        case .format: return .remove
        case .spaceSeparator: return .space
        case .nonspacingMark, .enclosingMark, .spacingMark: return .mark
        default: return .keep
        }
    }
}

/// Builds the clean text scalar by scalar.
private struct Cleaner {
    var text = ""
    private var base: Unicode.Scalar?
    private var marks = 0

    mutating func append(_ scalar: Unicode.Scalar) {
        switch SafeText.treatment(of: scalar) {
        case .remove: break
        case .replace:
            guard let byte = PathEscape.byte(of: scalar) else { return start(with: "\u{FFFD}") }
            for letter in "\\x\(String(byte, radix: 16, uppercase: true))".unicodeScalars { start(with: letter) }
        case .space: start(with: " ")
        case .keep: keep(scalar)
        case .mark: combine(scalar)
        }
    }

    private mutating func start(with scalar: Unicode.Scalar) {
        text.unicodeScalars.append(scalar)
        base = scalar
        marks = 0
    }

    /// Appends a scalar, but drops skin tones: terminals disagree whether they are pictures of their own.
    private mutating func keep(_ scalar: Unicode.Scalar) {
        let isTone = (0x1F3FB...0x1F3FF).contains(scalar.value) && base?.properties.isEmojiModifierBase == true
        if !isTone { start(with: scalar) }
    }

    private mutating func combine(_ scalar: Unicode.Scalar) {
        guard base != nil, marks < SafeText.marksPerBase else { return }
        text.unicodeScalars.append(scalar)
        marks += 1
    }
}
