import AlcedoFilters
import AlcedoScreen

extension BrowseState {
    private static let completionRows = 8
    /// The narrowest list above which completions are shown.
    static let leastCompletionColumns = 28

    /// The completions of the line that is typed, and the one that Tab chose; nil if there are none, or no list that their
    /// sheet may cover.
    var completions: (lines: [String], chosen: Int?)? {
        guard !coversPicture else { return nil }
        switch focus {
        case .command(let field):
            let hasFolders = CommandField.folderCommands.contains(where: field.field.text.hasPrefix)
            guard !hasFolders || field.hasCandidates else { return nil }
            let found = field.completions(options)
            return found.lines.isEmpty ? nil : found
        case .filter: return filterForms.isEmpty ? nil : (filterForms, filterForms.firstIndex(of: filter.text))
        default: return nil
        }
    }

    /// The sheet of completions, of which those around the chosen one are shown.
    func completionSheet(columns: Int, rows: Int) -> Sheet? {
        guard rows > 1, columns >= Self.leastCompletionColumns, let completions else { return nil }
        let count = completions.lines.count
        let shown = min(count, Self.completionRows, rows - 1)
        let first = max(0, min((completions.chosen ?? 0) - shown / 2, count - shown))
        let visible = completions.lines[first..<first + shown].map { line in
            focus == .filter ? CommandText.Completion(form: line) : CommandText.Completion(line, options, glyphs)
        }
        let width = min(columns - 5, visible.map { CellWidth.of($0.word) }.max() ?? 0)
        let lines = zip(first..., visible).map { row, completion in
            line(completion, width: width, columns: columns, isChosen: row == completions.chosen)
        }
        let place = completions.chosen.map { "\($0 + 1) of \(Units.count(count))" } ?? Units.count(count)
        let what = completions.chosen == nil && count != 1 ? "completions" : "completion"
        return Sheet(title: completions.chosen == nil ? "\(place) \(what)" : "\(what) \(place)", rows: lines)
    }

    /// Returns a completion, its meaning as far as there is room, and the key that does the same.
    private func line(
        _ completion: CommandText.Completion, width: Int, columns: Int, isChosen: Bool
    ) -> StyledText {
        var line = StyledText(isChosen ? glyphs.selected : " ", .accent)
        let word = Fitting.truncateMiddle(completion.word, to: width, ellipsis: glyphs.ellipsis)
        line.append("  ")
        line.append(Fitting.pad(word, to: width), isChosen ? .heading : .accent)
        let room = columns - line.width - 3
        let meaning = Fitting.truncate(completion.meaning, to: max(0, room), ellipsis: glyphs.ellipsis)
        guard room >= 6, !meaning.isEmpty else { return line }
        line.append(StyledText(meaning, isChosen ? .plain : .dim), gap: 2)
        let rest = columns - 1 - line.width - CellWidth.of(completion.key)
        if !completion.key.isEmpty, rest > 2 {
            line.append(StyledText(completion.key, .dim), gap: rest)
        }
        return line
    }
}

extension CommandText {
    /// A completion as it is shown.
    struct Completion {
        /// The word without what is typed before it.
        let word: String
        let meaning: String
        /// The key that does the same; empty without one.
        let key: String

        /// Describes a completion that is a whole line.
        init(_ line: String, _ options: BrowseOptions, _ glyphs: GlyphSet) {
            guard let space = line.firstIndex(of: " ") else {
                let action = BrowseAction.named[line]
                let meaning = CommandText.words.first { $0.word == line }?.meaning ?? action?.traits.title ?? ""
                let key = action.flatMap { options.keyMap.signs(of: $0, glyphs).first } ?? ""
                self.init(word: line, meaning: meaning, key: key)
                return
            }
            let (command, value) = (line[..<space], String(line[line.index(after: space)...]))
            switch command {
            case "filter", "mark": self.init(form: value)
            case "sort": self.init(word: value, meaning: SortOrder(rawValue: value)?.meaning ?? "")
            case "process": self.init(word: value, meaning: value == "none" ? "no processors" : "")
            case "transition": self.init(word: value, meaning: "")
            default: self.init(word: value, meaning: value.hasSuffix("/") ? "folder" : "file")
            }
        }

        /// Describes a completion of a filter.
        init(form: String) {
            let start = form.lastIndex { " |!".contains($0) }.map { form.index(after: $0) }
            let word = String(form[(start ?? form.startIndex)...])
            self.init(word: word, meaning: PictureFilter.meaning(of: word))
        }

        private init(word: String, meaning: String, key: String = "") {
            (self.word, self.meaning, self.key) = (word, meaning, key)
        }
    }
}

extension SortOrder {
    /// The name in full and the first rows.
    fileprivate var meaning: String {
        guard let firsts else { return self == .shuffle ? "by chance" : title }
        return title == rawValue ? firsts.usual : "\(title), \(firsts.usual)"
    }
}
