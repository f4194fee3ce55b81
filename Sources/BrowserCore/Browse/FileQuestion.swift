import AlcedoFileOperations
import AlcedoScreen

/// A question that is asked before files change.
enum FileQuestion: Sendable, Equatable {
    /// Whether files go to the trash or for good, or what becomes of each name that is taken.
    case plan(FilePlan, [ItemID], answers: [ConflictAnswer] = [])
    case renames(RenamePlan, [ItemID])
}

/// Files that were chosen to be copied or moved to another folder; the runtime has their paths.
struct HeldFiles: Sendable, Equatable {
    let count: Int
    let areMoved: Bool
}

/// An answer of the runtime about files that change.
package enum FileAnswer: Sendable, Equatable {
    /// The plan of an operation on the files of these items.
    case planned(FilePlan, [ItemID])
    /// The names that the user typed for these items.
    case renamesPlanned(RenamePlan, [ItemID])
    /// The folders into which files were copied or moved, the latest first.
    case foldersKnown([RememberedFolder])
    /// The files that were to be copied or moved later cannot be.
    case notHeld
    /// The reasons why files could not be changed, a line each.
    case failed([String])
    /// The progress of a change of files: `12 of 40 files`; nil when it ended. It is shown if it takes long.
    case changing(String?, isLong: Bool = true)
}

/// A folder that was listed, or into which files were copied or moved.
package struct RememberedFolder: Sendable, Equatable {
    package let path: String
    /// The path as it is shown, and when it was used: `9 min ago`.
    package let text: String
    package let age: String
    /// Whether the user keeps it in front of the others.
    package let isPinned: Bool

    package init(path: String, text: String, age: String, isPinned: Bool = false) {
        (self.path, self.text, self.age, self.isPinned) = (path, text, age, isPinned)
    }
}

extension BrowseState {
    mutating func receive(_ answer: FileAnswer) -> [BrowseEffect] {
        switch answer {
        case .planned(let plan, let items): return receive(plan, items)
        case .renamesPlanned(let plan, let items): receive(plan, items)
        case .foldersKnown(let folders): self.folders = folders
        case .notHeld: held = nil
        case .failed(let reasons):
            messages = Array((reasons.map { Notice($0, .failure, at: now) } + messages).prefix(50))
        case .changing(let text, let isLong):
            fileProgress = text
            guard let text, isLong else { break }
            // The question whether to quit stays.
            let asks = notice?.text.hasSuffix(Self.quitWarning) == true
            notice =
                asks
                ? Notice(text + Self.quitWarning, .warning, at: now)
                : Notice("\(text) \(glyphs.dot) Esc stops", at: now)
        }
        return []
    }

    /// Asks what a plan leaves open; what asks nothing begins at once.
    private mutating func receive(_ plan: FilePlan, _ items: [ItemID]) -> [BrowseEffect] {
        guard !plan.files.isEmpty else {
            showNotice("these files are gone", .failure)
            return []
        }
        if plan.operation.folder != nil, plan.conflicts.isEmpty { return begin(plan, items) }
        // What the user does meanwhile is not interrupted.
        guard focus == .list else { return [] }
        focus = .files(.plan(plan, items))
        return []
    }

    private mutating func receive(_ plan: RenamePlan, _ items: [ItemID]) {
        if plan.rows.allSatisfy({ !$0.isChanged && $0.problem == nil }) { return showNotice("no name was changed") }
        focus = .files(.renames(plan, items))
    }

    /// Handles a key of a question; `Esc` leaves all files as they are.
    mutating func inFiles(_ key: Key, _ question: FileQuestion) -> [BrowseEffect] {
        if key == .escape || key == .character("q") {
            focus = .list
            showNotice("nothing was changed")
            return []
        }
        // Pasted text answers no question.
        guard !areKeysTogether else {
            showNotice(Self.pastedText, short: Self.pastedShort)
            return []
        }
        switch question {
        case .plan(let plan, let items, let answers) where plan.operation.folder != nil:
            return answer(key, plan, items, answers)
        case .plan(let plan, let items, _):
            guard key == (plan.operation == .delete ? .character("d") : .enter) else { return [] }
            focus = .list
            return [.changeFiles(plan.operation, items)]
        case .renames(let plan, let items):
            switch key {
            case .character("e"):
                focus = .list
                return [.editNames(items, plan.rows.map(\.name))]
            case .enter where !plan.changes.isEmpty:
                focus = .list
                let chosen = zip(items, plan.rows).filter { $1.isChanged && $1.problem == nil }
                return [.changeFiles(.renameAll(to: chosen.map(\.1.name)), chosen.map(\.0))]
            default: return []
            }
        }
    }

    private mutating func answer(
        _ key: Key, _ plan: FilePlan, _ items: [ItemID], _ answers: [ConflictAnswer]
    ) -> [BrowseEffect] {
        guard case .character(let character) = key,
            let choice = ["s": ConflictAnswer.skip, "k": .keepBoth, "r": .replace][character.lowercased()]
        else { return [] }
        let count = character.isUppercase ? plan.conflicts.count - answers.count : 1
        let answers = answers + Array(repeating: choice, count: count)
        guard answers.count == plan.conflicts.count else {
            focus = .files(.plan(plan, items, answers: answers))
            return []
        }
        focus = .list
        let paths = zip(plan.conflicts.map(\.new.path), answers)
        return begin(plan, items, Dictionary(paths) { first, _ in first })
    }

    /// Begins a copy or a move; files that were to be moved here can be moved once.
    private mutating func begin(
        _ plan: FilePlan, _ items: [ItemID], _ answers: [String: ConflictAnswer] = [:]
    ) -> [BrowseEffect] {
        if plan.isExport, let folder = plan.operation.folder {
            return [.export(items, path: folder + "/", answers: answers)]
        }
        if items.isEmpty, held?.areMoved == true { held = nil }
        return [.changeFiles(plan.operation, items, answers: answers)]
    }

    /// Moves to a remembered folder if a digit is typed where the path would begin.
    mutating func choose(folder key: Key, _ field: CommandField) -> [BrowseEffect]? {
        guard CommandField.folderCommands.contains(field.field.text), !areKeysTogether,
            case .character(let character) = key, let number = character.wholeNumberValue,
            folders.indices.contains(number - 1)
        else { return nil }
        focus = .list
        let line = field.field.text + folders[number - 1].path
        remember(command: line)
        return CommandText(line, options).map { run($0) }
    }
}

// MARK: - Sheets

extension BrowseState {
    /// The sheet of a question, at most `rows` high with its title.
    func sheet(of question: FileQuestion, columns: Int, rows: Int) -> Sheet {
        switch question {
        case .plan(let plan, _, let answers) where plan.operation.folder != nil:
            conflictSheet(plan, answered: answers.count, columns: columns)
        case .plan(let plan, _, _): fileSheet(plan, columns: columns, rows: rows - 1)
        case .renames(let plan, _): renameSheet(plan, columns: columns, rows: rows - 1)
        }
    }

    private func fileSheet(_ plan: FilePlan, columns: Int, rows: Int) -> Sheet {
        let isFinal = plan.operation == .delete
        let undo = options.keyMap.firstKey(of: .undo).map { "   \(KeyName.sign($0, glyphs)) brings them back" }
        let last = [isFinal ? StyledText("   this cannot be undone", .warning) : StyledText(undo ?? "", .dim)]
        let lines = plan.files.map { file in
            Sheet.row(SafeText.clean(file.name), end: Units.bytes(file.bytes), columns: columns, glyphs)
        }
        let count = Units.count(plan.files.count)
        let what =
            "\(count) \(plan.files.count == 1 ? "picture" : "pictures"), "
            + Units.bytes(plan.files.reduce(0) { $0 + $1.bytes }) + hiddenNote
        return Sheet(
            title: isFinal ? "delete \(what), for good?" : "move \(what), to the trash?",
            rows: Sheet.fitted(lines, to: rows - last.count) + last, style: isFinal ? .failure : .strong)
    }

    private func conflictSheet(_ plan: FilePlan, answered: Int, columns: Int) -> Sheet {
        let conflict = plan.conflicts[min(answered, plan.conflicts.count - 1)]
        let rest = plan.conflicts.count - answered
        let (new, there) = (conflict.new, conflict.there)
        func order(_ new: Int, _ there: Int, _ less: String, _ more: String) -> String? {
            new < 0 || new == there ? nil : new < there ? less : more
        }
        let facts = [
            order(new.bytes, there.bytes, "smaller", "larger"), order(new.modified, there.modified, "older", "newer"),
        ]
        let words = conflict.isEqual ? "the same bytes" : facts.compactMap(\.self).joined(separator: ", ")
        func line(_ label: String, _ file: FilePlan.File, _ words: String) -> StyledText {
            var text = StyledText("   \(Fitting.pad(label, to: 5))", .dim)
            text.append(
                StyledText(Fitting.pad(file.bytes < 0 ? "?" : Units.bytes(file.bytes), to: 8, .trailing)), gap: 2)
            text.append(StyledText(words, .strong), gap: words.isEmpty ? 0 : 2)
            if text.width + CellWidth.of(file.modifiedText) + 3 <= columns {
                text.append(StyledText(file.modifiedText), gap: 2)
            }
            return text
        }
        func keys(_ pairs: [(String, String)]) -> StyledText {
            var text = StyledText("  ")
            for (key, title) in pairs {
                text.append(StyledText(key, .accent), gap: 1)
                text.append(" \(title)  ")
            }
            return text
        }
        let all = rest > 1 ? [keys([("S K R", "the same for all \(Units.count(rest))")])] : []
        let total = plan.conflicts.count
        let names =
            total == 1 ? "the name is" : "\(Units.count(total)) names are"
        let turn = total == 1 ? "" : " \(glyphs.dot) \(Units.count(answered + 1)) of \(Units.count(total))"
        let room = columns - 7 - CellWidth.of("\(names) taken in \(turn)")
        let folder = Fitting.truncateMiddle(SafeText.clean(there.folder), to: room, ellipsis: glyphs.ellipsis)
        return Sheet(
            title: "\(names) taken in \(folder)\(turn)",
            rows: [
                StyledText("   \(SafeText.clean(new.name))", .strong), line("there", there, ""),
                line("new", new, words), keys([("s", "skip"), ("k", "keep both"), ("r", "replace")]),
            ] + all)
    }

    private func renameSheet(_ plan: RenamePlan, columns: Int, rows: Int) -> Sheet {
        let room = max(8, (columns - 10) / 2)
        let lines = plan.rows.filter { $0.isChanged || $0.problem != nil }.map { row -> StyledText in
            var text = StyledText(row.problem == nil ? "   " : " \(glyphs.failed) ", .failure)
            let old = Fitting.truncateMiddle(SafeText.clean(row.oldName), to: room, ellipsis: glyphs.ellipsis)
            text.append(Fitting.pad(old, to: room), .dim)
            text.append(StyledText(glyphs.isASCII ? "->" : "→", .dim), gap: 2)
            let problem = StyledText(row.problem ?? "", .failure)
            let rest = max(8, columns - text.width - 3 - (problem.width > 0 ? problem.width + 2 : 0))
            let new = Fitting.truncateMiddle(SafeText.clean(row.name), to: rest, ellipsis: glyphs.ellipsis)
            text.append(StyledText(new), gap: 2)
            text.append(problem, gap: problem.width > 0 ? 2 : 0)
            return text
        }
        let failed = plan.rows.count { $0.problem != nil }
        let stay = plan.rows.count { !$0.isChanged && $0.problem == nil }
        let parts = [
            (plan.changes.count, plan.changes.count == 1 ? "changes" : "change"), (stay, stay == 1 ? "stays" : "stay"),
            (failed, "cannot"),
        ]
        let words = parts.filter { $0.0 > 0 }.map { "\(Units.count($0.0)) \($0.1)" }.joined(separator: ", ")
        return Sheet(
            title: "rename \(Units.count(plan.rows.count)): \(words)", rows: Sheet.fitted(lines, to: rows))
    }

    /// The sheet of the folders that were used last, above a command that takes one.
    func folderSheet(_ field: CommandField, columns: Int, rows: Int) -> Sheet? {
        let text = field.field.text
        guard !folders.isEmpty, rows > 1, let command = CommandField.folderCommands.first(where: text.hasPrefix)
        else { return nil }
        let isEmpty = text == command
        let lines = lines(of: folders, columns: columns, number: isEmpty ? .accent : .dim)
        let verb = command == "move " ? "move" : command == "copy " ? "copy" : "save"
        return Sheet(title: "\(verb) \(chosenText) to", rows: Sheet.fitted(lines, to: rows - 1))
    }

    /// The sheet of places, with the cursor at one of them.
    func placeSheet(_ cursor: Int, columns: Int, rows: Int) -> Sheet {
        let first = max(0, min(cursor - rows / 2, places.count - (rows - 1)))
        let lines = lines(of: places, columns: columns, number: .accent, cursor: cursor)
        return Sheet(title: "places", rows: Array(lines.dropFirst(first).prefix(max(1, rows - 1))))
    }

    private func lines(
        of folders: [RememberedFolder], columns: Int, number: Style, cursor: Int? = nil
    ) -> [StyledText] {
        folders.enumerated().map { index, folder in
            var text = StyledText(index == cursor ? glyphs.selected : " ", .accent)
            text.append(folder.isPinned ? " \(glyphs.pinned)" : "  ")
            text.append(index < 9 ? " \(index + 1)" : "  ", number)
            text.append(Sheet.row(folder.text, end: folder.age, columns: columns - 5, lead: 2, glyphs))
            return text
        }
    }

    /// The keys of a question.
    func hints(of question: FileQuestion) -> [HintLine.Hint] {
        let leave = HintLine.Hint(.escape, "leave", glyphs)
        switch question {
        case .plan(let plan, _, let answers) where plan.operation.folder != nil:
            let all = plan.conflicts.count - answers.count > 1 ? [HintLine.Hint("S K R", "all", key: nil)] : []
            return [HintLine.Hint("s k r", "one", key: nil)] + all + [HintLine.Hint(.escape, "stop", glyphs)]
        case .plan(let plan, _, _):
            let isFinal = plan.operation == .delete
            return [HintLine.Hint(isFinal ? .character("d") : .enter, isFinal ? "delete" : "trash", glyphs)]
                + [HintLine.Hint(.escape, "keep them", glyphs)]
        case .renames(let plan, _):
            let rename = HintLine.Hint(.enter, "rename \(Units.count(plan.changes.count))", glyphs)
            return [HintLine.Hint(.character("e"), "edit again", glyphs)] + (plan.changes.isEmpty ? [] : [rename])
                + [leave]
        }
    }
}
