/// What a program can leave behind in a terminal besides text; as a fresh terminal has it by default.
package struct TerminalManners: Equatable, Sendable {
    /// Private modes that are set; a fresh terminal wraps lines and shows the cursor.
    package var modes: Set<Int> = [7, 25]
    /// Those of the standard, such as 4 for inserting.
    package var publicModes: Set<Int> = []
    /// The last look of text; empty for the plain one.
    package var style = ""
    /// The rows that scroll; nil for all.
    package var region: Range<Int>?
    /// The sets of characters that are not ASCII, and whether the second one is in use.
    package var charsets: [Unicode.Scalar: Unicode.Scalar] = [:]
    package var isShifted = false
    package var hasApplicationKeypad = false
    /// Commands that change colours, the title or the cursor's shape.
    package var changes: [String] = []

    package init() {}
}
