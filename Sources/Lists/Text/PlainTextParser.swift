/// Reads plain text: one URL or path a line.
///
/// Blank lines and lines that begin with `#` mean nothing, nor does what follows a blank and `#` behind an address, or the
/// bullet or number before one. A blank is a part of an address where nothing else can begin with it. Locations after a TAB are alternatives of the first; where a
/// caption stands before or behind an address, as datasets have it, it is its title. Quotes or angle brackets around an
/// address (RFC 3986, appendix C) are none of it. An indented `key=value` line, as aria2 writes them, belongs to the entry
/// above: a ``ListField``, or aria2's `out`, `header`, `referer`, `user-agent`, `http-user` with `http-passwd`, and
/// `checksum=sha-256=…`; all else becomes an option.
struct PlainTextParser: ListParser {
    private var splitter = LineSplitter()
    private let base: ListBase
    private let markdown: MarkdownEntry
    private var held: ListEntry?
    private var hasOptions = false

    /// Options kept for an entry at most; more are rejected.
    static let optionLimit = 64

    init(base: ListBase) {
        self.base = base
        markdown = MarkdownEntry(base: base)
    }

    var line: Int { splitter.number }

    mutating func feed(_ bytes: [UInt8], into events: inout [ListEvent]) {
        for line in splitter.feed(bytes) { read(line, into: &events) }
        // What begins as no option is none, though the rest of its line may take a while.
        if splitter.beginsWithText { release(into: &events) }
    }

    /// In a list without options so far, the next line is not taken for one.
    var holdsBack: Bool { held != nil && !hasOptions && splitter.isBetweenLines }

    mutating func finish(isCut: Bool, into events: inout [ListEvent]) {
        if !isCut, let line = splitter.finish() { read(line, into: &events) }
        release(into: &events)
    }

    private mutating func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let fault):
            release(into: &events)
            events.append(.rejected(line: line.number, reason: fault.rawValue))
        case .success(let text): read(text, line.number, into: &events)
        }
    }

    private mutating func read(_ text: String, _ number: Int, into events: inout [ListEvent]) {
        let trimmed = text.trimmed
        if trimmed.isEmpty || trimmed.utf8.first == UInt8(ascii: "#") { return }
        if text.utf8.first?.isBlank == true, let option = Self.option(trimmed) {
            hasOptions = true
            attach(option, number, into: &events)
            return
        }
        if hasOptions, held != nil, text.utf8.first?.isBlank == true, !Self.isPlace(trimmed) {
            events.append(.noted(line: number, reason: "an indented line that is no option: KEY=VALUE"))
            return
        }
        release(into: &events)
        if let line = Self.markdown(trimmed) { return markdown.read(line, number: number, into: &events) }
        entry(PlainAddress.withoutBullet(trimmed), number, into: &events)
    }

    /// A line that is an image or a link, bullet or not.
    private static func markdown(_ text: Substring) -> MarkdownLine? {
        guard let first = text.utf8.first, isMark(first), text.contains("](") else { return nil }
        let line = MarkdownLine(text)
        return line.isMarkdown ? line : nil
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "!"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: ">"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether a line is an address or a picture's path, whatever stands before it.
    private static func isPlace(_ text: Substring) -> Bool {
        URLParts(PlainAddress.enclosed(text) ?? text) != nil || text.hasPrefix("/")
            || PictureType.isPicture(name: String(text))
    }

    private mutating func entry(_ text: Substring, _ number: Int, into events: inout [ListEvent]) {
        guard text.utf8.contains(UInt8(ascii: "\t")) else {
            hold(text, number, into: &events)
            return
        }
        let fields = Self.fields(of: text)
        if let place = Self.placeBehindCaption(fields) {
            if hold(fields[place], number, into: &events) { held?.title = String(fields[0]) }
            return
        }
        // Where the first place cannot be used the next web address is; any other text may be a caption or a number.
        var faults: [ListEvent] = []
        let main = fields.indices.first { place in
            (place == 0 || PlainAddress.isWeb(fields[place])) && hold(fields[place], number, into: &faults)
        }
        guard let main else {
            events += faults.prefix(1)
            return
        }
        events += faults.map(\.ofUsedLine)
        if fields.count - main - 1 > ListEntry.alternativeLimit {
            let reason = "more than \(ListEntry.alternativeLimit) alternatives; the others are left out"
            events.append(.noted(line: number, reason: reason))
        }
        for (place, field) in fields.enumerated().dropFirst(main + 1).prefix(ListEntry.alternativeLimit) {
            if PlainAddress.isWeb(fields[main]), Self.isCaption(field) {
                if held?.title == nil { held?.title = String(field) }
                continue
            }
            do {
                held?.alternatives.append(try base.location(plain: field))
            } catch {
                events.append(.noted(line: number, reason: "alternative \(place): \(error.description)"))
            }
        }
    }

    /// What stands between TABs, up to a comment.
    private static func fields(of text: Substring) -> [Substring] {
        let fields = text.utf8.split(separator: UInt8(ascii: "\t")).map { Substring($0).trimmed }
        return Array(fields.filter { !$0.isEmpty }.prefix { $0 != "#" && !$0.hasPrefix("# ") })
    }

    /// Where the address stands in a line of a dataset that begins with what the picture shows; nil for other lines.
    private static func placeBehindCaption(_ fields: [Substring]) -> Int? {
        guard let first = fields.first, isCaption(first) else { return nil }
        return fields.firstIndex(where: PlainAddress.isWeb)
    }

    private static func isCaption(_ field: Substring) -> Bool {
        !PictureType.isPicture(name: String(field)) && URLParts(field) == nil
            && (field.utf8.contains(UInt8(ascii: " "))
                || !field.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") })
    }

    /// Whether the text is a location; it becomes the held entry, or is rejected.
    @discardableResult
    private mutating func hold(_ text: Substring, _ number: Int, into events: inout [ListEvent]) -> Bool {
        do {
            held = ListEntry(line: number, location: try base.location(plain: text))
        } catch {
            events.append(.rejected(line: number, reason: error.description))
        }
        return held != nil
    }

    /// Gives the held entry an option, or says why that means nothing.
    private mutating func attach(_ option: ListOption, _ number: Int, into events: inout [ListEvent]) {
        guard var entry = held else {
            return events.append(.rejected(line: number, reason: "an indented option with no entry above it"))
        }
        guard entry.options.count + entry.headers.count < Self.optionLimit else {
            return events.append(.noted(line: number, reason: "more than \(Self.optionLimit) options"))
        }
        do throws(FieldFault) { try entry.take(option, from: base) } catch {
            events.append(.noted(line: number, reason: error.description))
        }
        held = entry
    }

    mutating func release(into events: inout [ListEvent]) {
        guard let entry = held else { return }
        events.append(.entry(entry))
        held = nil
    }

    private static func option(_ text: Substring) -> ListOption? {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex else { return nil }
        let key = text[..<equals]
        guard key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }) else {
            return nil
        }
        return ListOption(key: key.lowercased(), value: String(text[text.utf8.index(after: equals)...]))
    }
}

extension ListEvent {
    /// The same where the line is of use all the same.
    fileprivate var ofUsedLine: ListEvent {
        if case .rejected(let line, let reason) = self { .noted(line: line, reason: reason) } else { self }
    }
}
