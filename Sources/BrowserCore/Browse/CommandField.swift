/// The command line: a word for an action, or a command with what it is about.
struct CommandField: Sendable, Equatable {
    var field = TextField()
    /// The menu that it was opened from, and is left for.
    let menu: ProcessorMenu?
    /// What Tab has found, and which of it stands there.
    private var candidates: [String] = []
    private var chosen = 0
    /// How many commands ago the one stands that was called back, 0 for none, and what was typed before.
    private var recalled = 0
    private var draft = ""
    /// Where an export would go to, as far as someone has been asked.
    var target: ExportTarget?

    init(_ text: String = "", path: String = "", from menu: ProcessorMenu? = nil) {
        self.menu = menu
        field.insert(text)
        field.propose(path: path)
    }

    /// Takes an editing key.
    mutating func handle(_ key: Key) {
        if field.handle(key) { candidates = [] }
    }

    mutating func paste(_ text: String) {
        field.insert(text)
        candidates = []
    }

    /// Puts a command in its place that was given so many before the one that stands there; past the last what was typed.
    mutating func recall(by step: Int, in history: [String]) {
        let place = min(history.count, max(0, recalled + step))
        guard place != recalled else { return }
        if recalled == 0 { draft = field.text }
        recalled = place
        candidates = []
        field = TextField()
        field.insert(place == 0 ? draft : history[history.count - place])
    }

    /// The path that is being typed, of which nobody has said yet what it may become; nil where it is something else.
    var openPath: String? {
        candidates.isEmpty && field.text.hasPrefix(Self.pathCommand)
            ? String(field.text.dropFirst(Self.pathCommand.count)) : nil
    }

    private static let pathCommand = "export "

    /// Takes up the path that stands there as the target; answers whether there is something new to look at.
    mutating func lookAtTarget() -> Bool {
        let path = field.text.hasPrefix(Self.pathCommand) ? String(field.text.dropFirst(Self.pathCommand.count)) : ""
        guard path != target?.path ?? "" else { return false }
        target = path.isEmpty ? nil : ExportTarget(path: path)
        return target != nil
    }

    /// Puts the first of the paths that one may become in its place, where that is still being typed.
    mutating func complete(_ beginning: String, with paths: [String], _ options: BrowseOptions) {
        guard openPath == beginning, !paths.isEmpty else { return }
        candidates = paths.map { Self.pathCommand + $0 }
        chosen = candidates.count - 1
        complete(by: 1, options)
        // A folder on its own is gone on from.
        if paths.count == 1 { candidates = [] }
    }

    /// Puts the next of the words that what was typed may become in its place.
    mutating func complete(by step: Int, _ options: BrowseOptions) {
        if candidates.isEmpty {
            candidates = CommandText.completions(of: field.text, options)
            chosen = step > 0 ? 0 : candidates.count - 1
        } else {
            chosen = (chosen + step + candidates.count) % candidates.count
        }
        guard candidates.indices.contains(chosen) else { return }
        field = TextField()
        field.insert(candidates[chosen])
    }

    /// What it may become, for the hint beside it, without the word that stands there already; what Tab has put there
    /// comes first, then what it would put next.
    func hints(_ options: BrowseOptions) -> [String] {
        let lines =
            candidates.isEmpty
            ? CommandText.completions(of: field.text, options)
            : Array(candidates[chosen...] + candidates[..<chosen])
        guard let space = field.text.firstIndex(of: " ") else { return lines }
        return lines.map { String($0.dropFirst(field.text[...space].count)) }
    }
}

/// What stands on the command line, read.
enum CommandText: Equatable {
    case action(BrowseAction)
    case go(Int)
    case filter(String)
    case sort(SortOrder)
    case process(String)
    case export(String)
    case transition(String)
    /// What is wrong with it.
    case problem(String)

    private static let words = ["go", "filter", "sort", "process", "export", "transition"]

    init?(_ text: String, _ options: BrowseOptions) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        guard let word = parts.first else { return nil }
        let rest = parts.count > 1 ? parts[1].trimmed : ""
        self = CommandText.command(word, rest, options)
    }

    private static func command(_ word: String, _ rest: String, _ options: BrowseOptions) -> CommandText {
        if rest.isEmpty, let action = BrowseAction.allCases.first(where: { $0.name == word }) { return .action(action) }
        if let row = Int(word), rest.isEmpty { return .go(row) }
        switch word {
        case "go": return Int(rest).map { .go($0) } ?? .problem("go takes a row number")
        case "filter": return .filter(rest)
        case "sort":
            let names = SortOrder.allCases.map(\.rawValue).joined(separator: ", ")
            return SortOrder(rawValue: rest).map { .sort($0) } ?? .problem("sort takes \(names)")
        case "process": return .process(rest == "none" ? "" : rest)
        case "export": return rest.isEmpty ? .problem("export takes a file or a folder/") : .export(rest)
        case "transition":
            guard options.transitions.contains(rest) else {
                return .problem("transition takes \(options.transitions.joined(separator: ", "))")
            }
            return .transition(rest)
        default: return .problem("no command \(word): Tab shows them")
        }
    }

    /// What a text may become, as whole lines.
    static func completions(of text: String, _ options: BrowseOptions) -> [String] {
        guard let space = text.firstIndex(of: " ") else {
            let actions = BrowseAction.allCases.map(\.name).filter { !words.contains($0) }
            return (words + actions).filter { $0.hasPrefix(text) && $0 != text }
        }
        let (word, rest) = (text[..<space], text[text.index(after: space)...])
        let values: [String] =
            switch word {
            case "sort": SortOrder.allCases.map(\.rawValue)
            case "transition": options.transitions
            case "process": ["none"] + options.processors
            default: []
            }
        return values.filter { $0.hasPrefix(rest) && $0 != rest }.map { "\(word) \($0)" }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
