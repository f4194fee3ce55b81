extension BrowseState {
    /// Runs a command of the command line.
    mutating func run(_ command: CommandText) -> [BrowseEffect] {
        switch command {
        case .action(let action): return BrowseUpdate.perform(action, &self)
        case .go(let row): go(to: row - 1)
        case .filter(let text):
            filter = TextField()
            filter.insert(text)
            applyFilter()
        case .mark(let text): mark(matching: text)
        case .sort(let order): sort(by: order)
        case .process(let chain): return setProcessor(chain)
        case .export(let path): return chosenItems.isEmpty ? [] : [.export(chosenItems, path: path)]
        case .transition(let name):
            if let place = options.transitions.firstIndex(of: name) {
                options.transitions = Array(options.transitions[place...] + options.transitions[..<place])
            }
            return setTransition(name)
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
