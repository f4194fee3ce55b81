/// A shell command in which `{}` stands for files, each of which is one argument whatever its name is.
package struct ShellTemplate: Sendable, Equatable {
    package struct Problem: Error, Equatable {
        package let text: String

        static let quoted = Problem(
            text: "{} stands outside of quotes or alone in them: \"a-\"{}\"-b\", not \"a-{}-b\"")
        static let backticks = Problem(text: "{} cannot stand in backticks: $(...) can hold it")
    }

    /// The text for `sh -c`: all arguments stand in place of each `{}`, or at the end.
    package let script: String

    /// Creates the script of a command.
    ///
    /// - Throws: `Problem` if `{}` is a part of a quoted text, where the shell would split names or read them as commands.
    package init(_ text: String) throws(Problem) {
        var scanner = Scanner(rest: Array(text)[...])
        let script = try scanner.script()
        self.script = scanner.hasBraces ? script : text + " \"$@\""
    }

    /// Follows the quotes of a command; what stands in `(…)` and `$(…)` has quotes of its own.
    private struct Scanner {
        var rest: ArraySlice<Character>
        var hasBraces = false
        private var quote: Character?
        private var outerQuotes: [Character?] = []
        private var isInBackticks = false
        private var previous: Character?

        init(rest: ArraySlice<Character>) { self.rest = rest }

        mutating func script() throws(Problem) -> String {
            var script = ""
            while let character = rest.first {
                if rest.starts(with: "{}") {
                    script += try braces()
                    continue
                }
                // Quotes around nothing else are those of the arguments.
                if quote == nil, ["\"{}\"", "'{}'"].contains(String(rest.prefix(4))) {
                    rest = rest.dropFirst()
                    script += try braces()
                    rest = rest.dropFirst()
                    continue
                }
                if character == "\\", quote != "'" {
                    script += String(rest.prefix(2))
                    rest = rest.dropFirst(2)
                    previous = nil
                    continue
                }
                follow(character)
                script.append(character)
                previous = character
                rest = rest.dropFirst()
            }
            return script
        }

        private mutating func braces() throws(Problem) -> String {
            if isInBackticks { throw .backticks }
            if quote != nil { throw .quoted }
            hasBraces = true
            rest = rest.dropFirst(2)
            previous = "}"
            return "\"$@\""
        }

        private mutating func follow(_ character: Character) {
            switch character {
            case "'", "\"":
                if quote == nil { quote = character } else if quote == character { quote = nil }
            case "`" where quote != "'": isInBackticks.toggle()
            case "(" where quote == nil || quote == "\"" && previous == "$":
                outerQuotes.append(quote)
                quote = nil
            case ")" where quote == nil: if let outer = outerQuotes.popLast() { quote = outer }
            default: break
            }
        }
    }
}
