extension BrowseState {
    /// Does what stands on the command line.
    mutating func run(_ command: CommandText) -> [BrowseEffect] {
        switch command {
        case .action(let action): return BrowseUpdate.perform(action, &self)
        case .go(let row): go(to: row - 1)
        case .filter(let text):
            filter = TextField()
            filter.insert(text)
            applyFilter()
        case .sort(let order): sort(by: order)
        case .process(let chain): return setProcessor(chain)
        case .export(let path): return export(to: path)
        case .transition(let name):
            if let place = options.transitions.firstIndex(of: name) {
                options.transitions = Array(options.transitions[place...] + options.transitions[..<place])
            }
            return setTransition(name)
        case .problem(let text): showNotice(text)
        }
        return []
    }

    /// Goes on with a path on the command line, where it is still the one that was asked for.
    mutating func complete(_ beginning: String, with paths: [String]) {
        guard case .command(var field) = focus else { return }
        field.complete(beginning, with: paths, options)
        focus = .command(field)
    }

    /// Keeps a command to be called back, once where it is given again and again.
    mutating func remember(command: String) {
        guard !command.isEmpty, commands.last != command else { return }
        commands = commands.suffix(99) + [command]
    }

    /// The marked items, or the chosen one when none is.
    private func export(to path: String) -> [BrowseEffect] {
        chosenItems.isEmpty ? [] : [.export(chosenItems, path: path)]
    }

    /// Goes to an item, where the filter shows it.
    mutating func show(_ item: ItemID) -> [BrowseEffect] {
        focus = .list
        let row = list.row(of: item.rawValue)
        guard row < list.count, list.index(at: row) == item.rawValue else {
            showNotice("the filter hides it")
            return []
        }
        go(to: row)
        return []
    }

}
