/// Something in the config file, a theme or the environment that is wrong and not used.
package struct ConfigurationFault: Sendable, Equatable, Encodable, CustomStringConvertible {
    /// The file's path, or a variable's name with `$`; empty for an option.
    package let file: String
    /// Line and column from 1; columns count Unicode scalars; nil for a whole file and for a variable.
    package let line, column: Int?
    /// The line with its section, such as `[keys] exprt = "e"`, or the variable's value; empty for a whole file.
    package let source: String
    /// The reason in words.
    package var text: String

    package init(_ text: String, file: String, line: Int? = nil, column: Int? = nil, source: String = "") {
        (self.file, self.line, self.column) = (file, line, column)
        (self.source, self.text) = (source, text)
    }

    /// The fault as `FILE:LINE:COLUMN: what is wrong`.
    package var description: String {
        let place = [file.isEmpty ? nil : file, line.map(String.init), column.map(String.init)].compactMap(\.self)
        return (place.isEmpty ? "" : place.joined(separator: ":") + ": ") + text
    }

    /// The place in a few words: the file's name, then `LINE:COLUMN`.
    var place: String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        guard let line, let column else { return name }
        return "\(name) \(line):\(column)"
    }
}
