/// What a program can leave behind in a terminal besides text; as a fresh terminal has it by default.
struct TerminalManners: Equatable, Sendable {
    /// Private modes that are set; a fresh terminal wraps lines and shows the cursor.
    var modes: Set<Int> = [7, 25]
    /// Those of the standard, such as 4 for inserting.
    var publicModes: Set<Int> = []
    /// The last look of text; empty for the plain one.
    var style = ""
    /// The rows that scroll; nil for all.
    var region: Range<Int>?
    /// The sets of characters that are not ASCII, and whether the second one is in use.
    var charsets: [Unicode.Scalar: Unicode.Scalar] = [:]
    var isShifted = false
    var hasApplicationKeypad = false
    /// Commands that change colours, the title or the cursor's shape.
    var changes: [String] = []
}
