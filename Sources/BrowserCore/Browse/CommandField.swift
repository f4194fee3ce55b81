import AlcedoFileOperations
import AlcedoFilters
import AlcedoScreen

/// The command line: an action's name, or a command with its argument.
struct CommandField: Sendable, Equatable {
    var field = TextField()
    /// The menu that opened the field, to return to.
    let menu: ProcessorMenu?
    /// The completions, and the one in the field.
    private var candidates: [String] = []
    private var chosen = 0
    /// The age of the recalled command in commands; 0 if none is recalled.
    private var recalled = 0
    /// The unfinished text, which returns after the newest command.
    private var draft = ""
    /// The target of an export and what is known of it.
    var target: ExportTarget?
    /// Whether Enter came together with other keys and ran nothing.
    var waitsForEnter = false

    init(_ text: String = "", path: String = "", name: String = "", from menu: ProcessorMenu? = nil) {
        self.menu = menu
        if let word = text.split(separator: " ").first, text.count > word.count {
            field.insert("\(word) ")
            field.fixText()
            field.insert(String(text.dropFirst(word.count + 1)))
        } else {
            field.insert(text)
        }
        field.propose(path: path)
        if !name.isEmpty { field.propose(name: name) }
    }

    /// Handles an editing key.
    mutating func handle(_ key: Key) {
        waitsForEnter = false
        if field.handle(key) { candidates = [] }
    }

    mutating func paste(_ text: String) {
        field.insert(text)
        candidates = []
    }

    /// Recalls an older or newer command from the history; stepping past the newest restores the unfinished text.
    mutating func recall(by step: Int, in history: [String]) {
        let place = min(history.count, max(0, recalled + step))
        guard place != recalled else { return }
        if recalled == 0 { draft = field.text }
        recalled = place
        candidates = []
        field = TextField(place == 0 ? draft : history[history.count - place])
    }

    /// The path being typed, if completions for it have not been requested yet; nil otherwise.
    var openPath: String? {
        candidates.isEmpty ? pathCommand.map { String(field.text.dropFirst($0.count)) } : nil
    }

    /// The command in the field if its argument is a path.
    private var pathCommand: String? {
        (["export ", "mkdir "] + Self.folderCommands).first { field.text.hasPrefix($0) }
    }

    /// The commands that take a folder.
    static let folderCommands = ["copy ", "move ", "save "]

    /// Updates the target from the path in the field.
    ///
    /// - Parameter location: The path of the file that a new name is typed for; empty without one.
    /// - Returns: whether a new path must be inspected.
    mutating func updateTarget(renaming location: String) -> Bool {
        let command = pathCommand ?? (field.text.hasPrefix("rename ") ? "rename " : "")
        var path = command.isEmpty ? "" : String(field.text.dropFirst(command.count))
        if command == "rename ", !path.isEmpty {
            let location = location.hasSuffix("/") ? String(location.dropLast()) : location
            path = location.lastIndex(of: "/").map { location[...$0] + path } ?? ""
            if path == location { path = "" }
        }
        guard path != target?.path ?? "" else { return false }
        target =
            path.isEmpty
            ? nil : ExportTarget(path: path, purpose: .init(command))
        return target != nil
    }

    /// Whether a typed name is that of another file.
    var isTaken: Bool { target?.purpose == .name && [.file, .folder].contains(target?.kind) }

    /// Completes a path with the first of its completions if it is still being edited.
    mutating func complete(_ beginning: String, with paths: [String], _ options: BrowseOptions) {
        guard openPath == beginning, !paths.isEmpty, let command = pathCommand else { return }
        candidates = paths.map { command + $0 }
        chosen = candidates.count - 1
        complete(by: 1, options)
        // The only completion can be completed further, such as a folder.
        if paths.count == 1 { candidates = [] }
    }

    /// Replaces the text by the next or previous completion.
    mutating func complete(by step: Int, _ options: BrowseOptions) {
        if candidates.isEmpty {
            candidates = CommandText.completions(of: field.text, options)
            chosen = step > 0 ? 0 : candidates.count - 1
        } else {
            chosen = (chosen + step + candidates.count) % candidates.count
        }
        guard candidates.indices.contains(chosen) else { return }
        let fixed = field.fixedText
        field = TextField(fixed)
        field.fixText()
        field.insert(String(candidates[chosen].dropFirst(fixed.count)))
        guard candidates.count == 1, CommandText.takesArgument(candidates[0]) else { return }
        field.insert(" ")
        candidates = []
    }

    var hasCandidates: Bool { !candidates.isEmpty }

    /// Returns the possible lines, and the number of the one that Tab chose.
    func completions(_ options: BrowseOptions) -> (lines: [String], chosen: Int?) {
        candidates.isEmpty ? (CommandText.completions(of: field.text, options), nil) : (candidates, chosen)
    }

    /// Returns the possible words for the hint beside the field, starting with the current completion.
    func hints(_ options: BrowseOptions) -> [String] {
        let (all, chosen) = completions(options)
        let lines = Array(all.dropFirst(chosen ?? 0) + all.prefix(chosen ?? 0))
        guard let space = field.text.firstIndex(of: " ") else { return lines }
        return lines.map { String($0.dropFirst(field.text[...space].count)) }
    }
}

/// A parsed command line.
enum CommandText: Equatable {
    case action(BrowseAction)
    case go(Int)
    case filter(String)
    case mark(String)
    case sort(SortOrder)
    case process(String)
    case export(String)
    case run(String)
    case files(FileOperation)
    /// Writes pictures as they are turned.
    case write
    case transition(String)
    /// Shows what is wrong in the configuration.
    case configuration
    /// Shows the last messages.
    case messages
    /// The text is invalid, with the reason.
    case problem(String)

    /// Whether it writes files, runs a program or removes something.
    var changesFiles: Bool {
        switch self {
        case .run, .export, .files, .write, .action(.openExternally), .action(.removeFromCache), .action(.trash),
            .action(.delete), .action(.undo):
            true
        case .action, .go, .filter, .mark, .sort, .process, .transition, .configuration, .messages, .problem: false
        }
    }

    static let words: [(word: String, meaning: String)] = [
        ("go", "to a row"), ("filter", "list what matches"), ("mark", "what matches a filter"),
        ("sort", "the rows by"), ("process", "all pictures by a chain"), ("export", "pictures to a file or folder/"),
        ("run", "a shell command on the files"), ("copy", "files to a folder"), ("move", "files to a folder"),
        ("save", "pictures of the web in a folder"), ("rename", "the file"), ("mkdir", "make a folder"),
        ("write", "keep turns in the files"), ("transition", "to new pictures"),
        ("config", "what is wrong in it"), ("messages", "the last ones"),
    ]

    /// Whether an argument follows a word.
    static func takesArgument(_ word: String) -> Bool {
        words.contains { $0.word == word } && !["write", "config", "messages"].contains(word)
    }

    init?(_ text: String, _ options: BrowseOptions) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
        guard let word = parts.first else { return nil }
        // A name may begin and end with blanks.
        let name = text.hasPrefix("rename ") ? String(text.dropFirst("rename ".count)) : nil
        let rest = name ?? (parts.count > 1 ? parts[1].trimmed : "")
        self = CommandText.command(word, rest, options)
    }

    private static func command(_ word: String, _ rest: String, _ options: BrowseOptions) -> CommandText {
        if rest.isEmpty, let action = BrowseAction.named[word] { return .action(action) }
        if let row = Int(word), rest.isEmpty { return .go(row) }
        switch word {
        case "go": return Int(rest).map { .go($0) } ?? .problem("go takes a row number")
        case "config": return .configuration
        case "messages": return .messages
        case "write": return .write
        case "filter": return .filter(rest)
        case "mark": return rest.isEmpty ? .problem("mark takes a filter") : .mark(rest)
        case "sort":
            let names = SortOrder.allCases.map(\.rawValue).joined(separator: ", ")
            return SortOrder(rawValue: rest).map { .sort($0) } ?? .problem("sort takes \(names)")
        case "process": return .process(rest == "none" ? "" : rest)
        case "export": return rest.isEmpty ? .problem("export takes a file or a folder/") : .export(rest)
        case "run":
            guard !rest.isEmpty else { return .problem("run takes a shell command; {} stands for the files") }
            do throws(ShellTemplate.Problem) { _ = try ShellTemplate(rest) } catch { return .problem(error.text) }
            return .run(rest)
        case "copy": return rest.isEmpty ? .problem("copy takes a folder") : .files(.copy(into: rest))
        case "move": return rest.isEmpty ? .problem("move takes a folder") : .files(.move(into: rest))
        case "save":
            return rest.isEmpty ? .problem("save takes a folder") : .export(rest.hasSuffix("/") ? rest : rest + "/")
        case "mkdir": return rest.isEmpty ? .problem("mkdir takes a path") : .files(.makeFolder(rest))
        case "rename":
            guard !rest.isEmpty, !rest.utf8.contains(UInt8(ascii: "/")) else {
                return .problem("rename takes a name without /")
            }
            return .files(.rename(to: rest))
        case "transition":
            guard options.transitions.contains(rest) else {
                return .problem("transition takes \(options.transitions.joined(separator: ", "))")
            }
            return .transition(rest)
        default: return .problem("no command \(word): Tab shows them")
        }
    }

    /// Returns the completions of a text as whole lines.
    static func completions(of text: String, _ options: BrowseOptions) -> [String] {
        guard let space = text.firstIndex(of: " ") else {
            let words = words.map(\.word)
            let actions = BrowseAction.allCases.map(\.name).filter { !words.contains($0) }
            return (words + actions).filter { $0.hasPrefix(text) && $0 != text }
        }
        let (word, rest) = (text[..<space], text[text.index(after: space)...])
        let values: [String] =
            switch word {
            case "sort": SortOrder.allCases.map(\.rawValue)
            case "transition": options.transitions
            case "process": ["none"] + options.processors
            case "filter", "mark": PictureFilter.completions(of: String(rest), in: .list)
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

extension BrowseState {
    /// Runs a command of the command line.
    mutating func run(_ command: CommandText) -> [BrowseEffect] {
        switch command {
        case .action(let action): return perform(action)
        case .go(let row): go(to: row - 1)
        case .filter(let text):
            filter = TextField(text)
            applyFilter()
        case .mark(let text): mark(matching: text)
        case .sort(let order): sort(by: order)
        case .process(let chain): return setProcessor(chain)
        case .export(let path): return chosenItems.isEmpty ? [] : [.export(chosenItems, path: path)]
        case .run(let text): return chosenItems.isEmpty ? [] : [.runCommand(text, chosenItems)]
        case .files(let command): return changeFiles(command)
        case .transition(let name):
            guard !options.reducesMotion else {
                showNotice("transitions are off")
                return []
            }
            if let place = options.transitions.firstIndex(of: name) {
                options.transitions = Array(options.transitions[place...] + options.transitions[..<place])
            }
            return setTransition(name)
        case .write: return writeTurns()
        case .configuration: showConfigurationFaults()
        case .messages: if messages.isEmpty { showQuietNotice("no messages yet") } else { focus = .messages(0) }
        case .problem(let text): showNotice(text)
        }
        return []
    }

    /// Completes a path on the command line if it is still being edited.
    mutating func complete(_ beginning: String, with paths: [String]) {
        guard case .command(var field) = focus else { return }
        field.complete(beginning, with: paths, options)
        focus = .command(field)
    }

    /// Adds a command to the history unless it repeats the last one.
    mutating func remember(command: String) {
        guard !command.isEmpty, commands.last != command else { return }
        commands = commands.suffix(99) + [command]
    }

    /// Goes to an item unless the filter hides it.
    mutating func show(_ item: ItemID) {
        focus = .list
        let row = list.row(of: item.rawValue)
        guard row < list.count, list.index(at: row) == item.rawValue else { return showNotice("the filter hides it") }
        go(to: row)
    }
}

/// The kind of a path.
package enum PathKind: Sendable, Hashable {
    case nothing, file, folder
}

/// The target path of an export.
struct ExportTarget: Sendable, Equatable {
    let path: String
    enum Purpose: Sendable {
        /// The pictures are exported there, or files are copied or moved there.
        case export, files
        /// A folder is made, or a file gets the name.
        case newFolder, name

        init(_ command: String) {
            self =
                switch command {
                case "export ": .export
                case "mkdir ": .newFolder
                case "rename ": .name
                default: .files
                }
        }
    }

    let purpose: Purpose
    /// The kind of the path; nil until it was inspected.
    var kind: PathKind?

    static let formats = ["png": "PNG", "jpg": "JPEG", "jpeg": "JPEG", "webp": "WebP", "gif": "GIF"]
}

extension BrowseState {
    /// Requests the kind of the path on the command line, once for each path.
    mutating func refreshExportTarget() -> [BrowseEffect] {
        let location = selection.map { list.items.location(at: $0) } ?? ""
        guard case .command(var field) = focus, field.updateTarget(renaming: location) else { return [] }
        focus = .command(field)
        return field.target.map { [.inspectPath($0.path)] } ?? []
    }

    /// Stores the kind of a path if it is still on the command line.
    mutating func receive(_ kind: PathKind, of path: String) {
        guard case .command(var field) = focus, field.target?.path == path else { return }
        field.target?.kind = kind
        focus = .command(field)
    }

    /// Returns what a command would do, and its keys if there is room for them; nil for commands that need no words.
    func summary(of command: CommandField, room: Int) -> StyledText? {
        command.target.map { exportSummary($0, room: room) } ?? runSummary(command.field.text, room: room)
    }

    /// Returns what an export would write, where and how: `3 marked pictures, as they are → pictures/ (new)`.
    private func exportSummary(_ target: ExportTarget, room: Int) -> StyledText {
        if target.purpose == .name {
            return [.file, .folder].contains(target.kind)
                ? StyledText("the name is taken", .failure) : nameKeys(room: room)
        }
        guard target.purpose == .export else { return folderSummary(target, room: room) }
        let isFolder = list.marks.count > 1 || target.path.hasSuffix("/") || target.kind == .folder
        guard let how = format(of: target.path, isFolder: isFolder) else {
            return StyledText("the name must end with png, jpg, webp or gif", .warning)
        }
        let arrow = glyphs.isASCII ? "->" : "→"
        let text = "\(chosenText), \(how) \(arrow) \(SafeText.clean(target.path))"
        switch target.kind {
        case .file: return StyledText("\(target.path) exists: name another \(isFolder ? "folder" : "file")", .warning)
        case .folder: return StyledText("\(text) (exists)", .dim)
        case .nothing: return StyledText("\(text) (new)", .dim)
        case nil: return StyledText(text, .dim)
        }
    }

    /// Returns which files go to a folder: `3 marked pictures → best (new)`.
    private func folderSummary(_ target: ExportTarget, room: Int) -> StyledText {
        let isNew = target.purpose == .newFolder
        let arrow = glyphs.isASCII ? "->" : "→"
        let text = isNew ? SafeText.clean(target.path) : "\(chosenText) \(arrow) \(SafeText.clean(target.path))"
        switch target.kind {
        case .folder where isNew: return StyledText("\(text) is there already", .warning)
        case .file: return StyledText("\(SafeText.clean(target.path)) is a file", .warning)
        case .nothing: return withKeys("\(text) (a new folder)", room: room)
        case .folder, nil: return withKeys(text, room: room)
        }
    }

    /// Adds the keys of a command line that takes a folder, as far as there is room.
    private func withKeys(_ text: String, room: Int) -> StyledText {
        guard case .command(let field) = focus else { return StyledText(text, .dim) }
        let word = String(field.field.text.prefix { $0 != " " })
        let keys = [
            HintLine.Hint(.tab, "complete", glyphs), HintLine.Hint(.enter, word == "mkdir" ? "make" : word, glyphs),
            HintLine.Hint(.escape, "leave", glyphs),
        ]
        var line = StyledText(text, .dim)
        let shown = HintLine(keys, room: max(0, room - line.width - 3)).text
        if shown.width > 0 { line.append(shown, gap: 3) }
        return line
    }

    private func nameKeys(room: Int) -> StyledText {
        HintLine([.init(.enter, "rename", glyphs), .init(.escape, "leave", glyphs)], room: max(0, room)).text
    }

    /// Returns the pictures that a command applies to, or its keys; nil for other commands.
    private func runSummary(_ command: String, room: Int) -> StyledText? {
        guard selection != nil else { return nil }
        if CommandField.folderCommands.contains(command) { return withKeys("on \(chosenText)", room: room) }
        if command.hasPrefix("rename ") { return nameKeys(room: room) }
        return command.hasPrefix("run ") ? StyledText("on \(chosenText)", .dim) : nil
    }

    var chosenText: String {
        switch list.marks.count {
        case 0: isFolderSelected ? "this folder" : "this picture"
        case 1: "1 marked picture\(hiddenNote)"
        case let count: "\(Units.count(count)) marked pictures\(hiddenNote)"
        }
    }

    /// A note of the number of marked pictures that the filter hides: `, 3 of them hidden`; empty for none.
    var hiddenNote: String {
        let hidden = list.hiddenMarkCount
        return hidden > 0 ? ", \(Units.count(hidden)) of them hidden" : ""
    }

    /// Returns the output format; nil if the file's extension is not supported.
    private func format(of path: String, isFolder: Bool) -> String? {
        let isProcessed = !options.processor.isEmpty
        if isFolder { return isProcessed ? "processed" : "as they are" }
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return ExportTarget.formats[ending].map { isProcessed ? "processed, as \($0)" : "as \($0)" }
    }
}
