/// Parser of the index of a web archive, CDX or CDXJ: the addresses of the captures that are pictures by their media type
/// or extension.
struct CaptureParser: LineListParser {
    var splitter = LineSplitter()
    private let base: ListBase
    /// The places of address and media type; those of the usual header ` CDX N b a m s k …` by default.
    private var (address, type) = (2, 3)

    init(base: ListBase) { self.base = base }

    var emptyReason: String? { "the index of the web archive names no pictures" }

    /// Returns whether a line is the header of an index or a capture: a key that ends its host with `)`, and a time of 14
    /// digits or in the form of ISO 8601.
    static func isCapture(_ line: Substring) -> Bool {
        let fields = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        if fields.first == "CDX", fields.count > 2 { return true }
        if line.hasPrefix("!OpenWayback-CDXJ ") { return true }
        guard fields.count > 2, fields[0].contains(")/") else { return false }
        let digits = fields[1].utf8.filter { !"-:TZ".utf8.contains($0) }
        return digits.count == 14 && digits.allSatisfy(\.isDigit)
    }

    mutating func read(_ line: ListLine, into events: inout [ListEvent]) {
        switch line.content {
        case .failure(let error): events.append(.rejected(line: line.number, reason: error.rawValue))
        case .success(let text): read(text.trimmed, line.number, into: &events)
        }
    }

    private mutating func read(_ text: Substring, _ line: Int, into events: inout [ListEvent]) {
        guard !text.hasPrefix("!") else { return }
        let fields = text.split(separator: " ")
        if fields.first == "CDX" {
            let names = fields.dropFirst()
            if let place = names.firstIndex(of: "a") { address = place - 1 }
            if let place = names.firstIndex(of: "m") { type = place - 1 }
            return
        }
        guard fields.count > 2 else {
            if !text.isEmpty { events.append(.rejected(line: line, reason: "not a line of a web archive's index")) }
            return
        }
        if fields[2].hasPrefix("{") {
            let json = text[fields[2].startIndex...]
            guard case .object(let members)? = try? JSONValue(json) else {
                return events.append(.rejected(line: line, reason: "not valid JSON after the time"))
            }
            add(members.text(named: "url") ?? "", type: members.text(named: "mime") ?? "", line, into: &events)
        } else if fields.indices.contains(address) {
            add(
                String(fields[address]), type: fields.indices.contains(type) ? String(fields[type]) : "", line,
                into: &events)
        }
    }

    private func add(_ address: String, type: String, _ line: Int, into events: inout [ListEvent]) {
        // Other captures are pages and scripts.
        guard type.lowercased().hasPrefix("image/") || PictureFileDetector.isPicture(url: address[...]) else { return }
        events.append(address, line: line) { (text) throws(LocationError) in try base.location(text) }
    }
}
