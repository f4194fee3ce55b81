import FoundationEssentials

/// Parser of plain text: one URL or path a line.
///
/// - Ignores blank lines, lines that begin with `#`, a comment after a blank and `#`, and a bullet or number before an
///   address. Removes quotes or angle brackets around an address (RFC 3986, appendix C). An address may contain blanks
///   if it ends with the extension of a picture and no part of it before a blank does.
/// - Locations after a TAB are alternatives. A caption before or after an address, as in datasets, is the title.
/// - An indented `key=value` line, as in aria2's input files, belongs to the entry above: a ``ListField``, or aria2's
///   `out`, `header`, `referer`, `user-agent`, `http-user` with `http-passwd`, and `checksum=sha-256=…`, or `columns` with
///   an object. Other keys are ignored.
struct PlainTextParser: ListParser {
    private var splitter = LineSplitter()
    private let base: ListBase
    private let markdown: MarkdownEntry
    private var pending: PendingEntry?
    private var hasOptions = false
    /// Whether it is an Internet shortcut, of which only the address counts.
    private var isShortcut = false
    private var isInSection = false

    init(base: ListBase) {
        self.base = base
        markdown = MarkdownEntry(base: base)
    }

    var line: Int { splitter.number }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for line in splitter.feed(bytes) { read(line, into: &events) }
        // Options are indented. So a line that begins with text is not an option, even before its end has arrived.
        if splitter.beginsWithText { flush(into: &events) }
    }

    /// False once the list has had an option, because further options may follow the entry.
    var hasPendingEntry: Bool { pending != nil && !hasOptions && splitter.isBetweenLines }

    mutating func finish(isTruncated: Bool, into events: inout [ListEvent]) {
        if !isTruncated, let line = splitter.finish() { read(line, into: &events) }
        flush(into: &events)
    }

    mutating func flush(into events: inout [ListEvent]) {
        guard let entry = pending?.entry else { return }
        events.append(.entry(entry))
        pending = nil
    }

    private mutating func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let error):
            flush(into: &events)
            events.append(.rejected(line: line.number, reason: error.rawValue))
        case .success(let text): read(text, line.number, into: &events)
        }
    }

    private mutating func read(_ text: String, _ line: Int, into events: inout [ListEvent]) {
        let trimmed = text.trimmed
        if trimmed.isEmpty || trimmed.utf8.first == UInt8(ascii: "#") { return }
        let isFirst = trimmed == "[InternetShortcut]" || trimmed == "[DEFAULT]" || trimmed.hasPrefix("[{")
        if isFirst || isShortcut {
            // Sections before and behind it are Explorer's own.
            if trimmed.hasPrefix("[") { isInSection = trimmed == "[InternetShortcut]" }
            isShortcut = true
            guard isInSection, trimmed.hasPrefix("URL=") else { return }
            flush(into: &events)
            return begin(trimmed.dropFirst(4), line, into: &events)
        }
        if text.utf8.first?.isBlank == true {
            if let (key, value) = Self.option(trimmed) {
                hasOptions = true
                return apply(key, value, line, into: &events)
            }
            if hasOptions, pending != nil, !Self.isLocation(trimmed) {
                events.append(.warning(line: line, reason: "an indented line that is not an option: KEY=VALUE"))
                return
            }
        }
        flush(into: &events)
        if let reference = Self.markdown(trimmed) { return markdown.read(reference, number: line, into: &events) }
        begin(PlainAddress.withoutBullet(trimmed), line, into: &events)
    }

    /// Returns a line that is an image or a link, with a bullet or without.
    private static func markdown(_ text: Substring) -> MarkdownLine? {
        guard let first = text.utf8.first, first.isDigit || "[!-*+>".utf8.contains(first), text.contains("](") else {
            return nil
        }
        let line = MarkdownLine(text)
        return line.isMarkdown ? line : nil
    }

    /// Returns whether a line is an address or the path of a picture.
    private static func isLocation(_ text: Substring) -> Bool {
        URLParts(PlainAddress.enclosed(text) ?? text) != nil || text.hasPrefix("/")
            || PictureFileDetector.isPicture(name: String(text))
    }
}

// MARK: - Entries

extension PlainTextParser {
    /// Begins an entry with the first usable location of a line.
    private mutating func begin(_ text: Substring, _ line: Int, into events: inout [ListEvent]) {
        guard text.utf8.contains(UInt8(ascii: "\t")) else {
            do { pending = PendingEntry(ListEntry(line: line, location: try base.location(plain: text))) } catch {
                events.append(.rejected(line: line, reason: error.description))
            }
            return
        }
        var fields = Self.fields(of: text)
        var title: String?
        // Datasets have a caption, then the address; other fields are not alternatives.
        if let caption = fields.first, Self.isCaption(caption), let address = fields.first(where: PlainAddress.isWeb) {
            (fields, title) = ([address], String(caption))
        }
        var errors: [LocationError] = []
        for (index, field) in fields.enumerated() where index == 0 || PlainAddress.isWeb(field) {
            do throws(LocationError) {
                pending = PendingEntry(ListEntry(line: line, location: try base.location(plain: field), title: title))
                events += errors.map { .warning(line: line, reason: $0.description) }
                return addAlternatives(fields, behind: index, into: &events)
            } catch {
                errors.append(error)
            }
        }
        events += errors.prefix(1).map { .rejected(line: line, reason: $0.description) }
    }

    /// Adds the fields after the location of the pending entry.
    private mutating func addAlternatives(_ all: [Substring], behind index: Int, into events: inout [ListEvent]) {
        let fields = all.dropFirst(index + 1)
        guard !fields.isEmpty, var entry = pending?.entry else { return }
        let isWeb = PlainAddress.isWeb(all[index])
        let limit = ListEntry.alternativeLimit
        if fields.count > limit {
            events.append(
                .warning(line: entry.line, reason: "more than \(limit) alternatives; the others are left out"))
        }
        for (number, field) in zip(fields.indices, fields).prefix(limit) {
            if isWeb, Self.isCaption(field) {
                entry.title = entry.title ?? String(field)
                continue
            }
            do { entry.alternatives.append(try base.location(plain: field)) } catch {
                events.append(.warning(line: entry.line, reason: "alternative \(number): \(error.description)"))
            }
        }
        pending?.entry = entry
    }

    /// Returns the fields between TABs, up to a comment.
    private static func fields(of text: Substring) -> [Substring] {
        let fields = text.utf8.split(separator: UInt8(ascii: "\t")).map { Substring($0).trimmed }
        return Array(fields.filter { !$0.isEmpty }.prefix { $0 != "#" && !$0.hasPrefix("# ") })
    }

    /// Returns whether a field is neither an address nor looks like a path.
    private static func isCaption(_ field: Substring) -> Bool {
        !PictureFileDetector.isPicture(name: String(field)) && URLParts(field) == nil
            && (field.utf8.contains(UInt8(ascii: " "))
                || !field.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") })
    }

    private static func option(_ text: Substring) -> (key: String, value: String)? {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex else { return nil }
        let key = text[..<equals]
        guard key.utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || "-_".utf8.contains($0) }) else { return nil }
        return (key.lowercased(), String(text[text.utf8.index(after: equals)...]))
    }

    /// Applies an option to the pending entry.
    private mutating func apply(_ key: String, _ value: String, _ line: Int, into events: inout [ListEvent]) {
        guard pending != nil else {
            return events.append(.rejected(line: line, reason: "an indented option with no entry above it"))
        }
        do throws(FieldError) { try pending?.apply(key, value, base: base) } catch {
            events.append(.warning(line: line, reason: error.description))
        }
    }
}

/// An entry that may get options from the lines below it.
private struct PendingEntry {
    var entry: ListEntry
    private var user: String?
    private var password = ""

    init(_ entry: ListEntry) {
        self.entry = entry
    }

    mutating func apply(_ key: String, _ value: String, base: ListBase) throws(FieldError) {
        switch key {
        case "out": try entry.set(.title, to: .text(value), base: base)
        case "header": try addHeader(value)
        case "referer": try addHeader("Referer: \(value)")
        case "user-agent": try addHeader("User-Agent: \(value)")
        case "http-user":
            user = value
            try authorize()
        case "http-passwd":
            password = value
            try authorize()
        case "checksum":
            guard value.hasPrefix(Self.checksum) else { throw FieldError("checksum must be sha-256=DIGEST") }
            try entry.set(.sha256, to: .text(String(value.dropFirst(Self.checksum.count))), base: base)
        case "columns":
            guard case .object(let members)? = try? JSONValue(value[...]) else {
                throw FieldError("columns must be a JSON object")
            }
            for member in members { entry.columns[member.name] = member.value }
        default:
            guard let field = ListField(name: key), field != .url else { return }
            try entry.set(field, to: .text(value), base: base)
        }
    }

    private static let checksum = "sha-256="

    /// Sets the header of basic authentication (RFC 7617), as aria2 does.
    private mutating func authorize() throws(FieldError) {
        guard let user else { return }
        try addHeader("Authorization: Basic \(Data("\(user):\(password)".utf8).base64EncodedString())")
    }

    private mutating func addHeader(_ line: String) throws(FieldError) {
        guard let header = ListHeader(line: line) else { throw FieldError("the option is not a valid request header") }
        let authorization = "authorization"
        // The last credentials count.
        if header.name.lowercased() == authorization {
            entry.headers.removeAll { $0.name.lowercased() == authorization }
        }
        guard entry.headers.count < Self.headerLimit else { throw FieldError("more than \(Self.headerLimit) headers") }
        entry.headers.append(header)
    }

    private static let headerLimit = 64
}

/// Extraction of the address or path from a field of plain text: removes bullets, quotes, angle brackets and comments.
enum PlainAddress {
    /// Returns the address.
    ///
    /// - Parameter isWeb: Whether a relative path belongs to a web address.
    /// - Throws: `LocationError` if a blank may end the address.
    static func text(of field: Substring, isWeb: Bool = false) throws(LocationError) -> Substring {
        if isBare(field) { return field }
        if let inner = enclosed(field) { return inner }
        let text = withoutComment(field)
        if let inner = enclosed(text) { return inner }
        if Self.isWeb(text) || isWeb && URLParts(text) == nil { try checkBlanks(text) }
        return text
    }

    /// Returns whether the field has neither marks nor blanks around it: true of most fields, and fast.
    static func isBare(_ field: Substring) -> Bool {
        guard let first = field.utf8.first, closingMark(of: first) == nil else { return false }
        let isSimple: (UnsafeBufferPointer<UInt8>) -> Bool = { !$0.contains { $0 == 0x20 || $0 >= 0x80 } }
        return field.utf8.withContiguousStorageIfAvailable(isSimple) ?? false
    }

    static func isWeb(_ field: Substring) -> Bool {
        ["http", "https"].contains(URLParts(field)?.scheme.lowercased())
    }

    /// Returns the line without the bullet or number of a list item if a web address follows.
    static func withoutBullet(_ line: Substring) -> Substring {
        guard let rest = afterBullet(line), isWeb(enclosed(rest) ?? rest) else { return line }
        return rest
    }

    /// Returns the text after the bullet or number of a list item (CommonMark, 5.2); nil if the line has none.
    static func afterBullet(_ line: Substring) -> Substring? {
        guard let first = line.utf8.first else { return nil }
        var rest = line.utf8.dropFirst()
        if first.isDigit {
            rest = rest.drop(while: \.isDigit)
            guard rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ")") else { return nil }
            rest = rest.dropFirst()
        } else if first != UInt8(ascii: "-"), first != UInt8(ascii: "*"), first != UInt8(ascii: "+") {
            return nil
        }
        return rest.first?.isBlank == true ? Substring(rest).trimmed : nil
    }

    private static func closingMark(of mark: UInt8) -> UInt8? {
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): mark
        case UInt8(ascii: "<"): UInt8(ascii: ">")
        default: nil
        }
    }

    /// Returns the web address between quotes or angle brackets (RFC 3986, appendix C).
    static func enclosed(_ text: Substring) -> Substring? {
        guard let first = text.utf8.first, let end = closingMark(of: first), text.utf8.last == end else { return nil }
        let inner = text.dropFirst().dropLast()
        return isWeb(inner) && !inner.utf8.contains(end) ? inner : nil
    }

    /// Removes a comment, which begins with a blank and `#`.
    ///
    /// After a path, the `#` counts only if the name of a picture precedes it and a blank follows it.
    private static func withoutComment(_ text: Substring) -> Substring {
        let hash = UInt8(ascii: "#")
        guard text.utf8.contains(hash) else { return text }
        let isAddress = URLParts(text) != nil || closingMark(of: text.utf8.first ?? 0) != nil
        var last: UInt8 = 0
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == hash, last.isBlank {
                let before = text[..<index].trimmed
                let next = text.utf8[text.utf8.index(after: index)...].first
                if isAddress || next?.isBlank != false && PictureFileDetector.isPicture(name: String(before)) {
                    return before
                }
            }
            last = byte
        }
        return text
    }

    /// Throws unless all blanks belong to the address: it ends with the extension of a picture, and no part of it
    /// before a blank does.
    private static func checkBlanks(_ text: Substring) throws(LocationError) {
        let blanks = text.unicodeScalars.indices.filter { text.unicodeScalars[$0].properties.isWhitespace }
        guard !blanks.isEmpty else { return }
        for index in blanks where isWeb(text[index...].drop(while: \.isWhitespace)) { throw .secondAddress }
        guard isPicture(text), !blanks.contains(where: { isPicture(text[..<$0]) }) else { throw .space }
    }

    private static func isPicture(_ text: Substring) -> Bool {
        PictureFileDetector.isPicture(url: text) || PictureFileDetector.isPicture(name: String(text))
    }
}
