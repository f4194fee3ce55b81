import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import AlcedoScreen
import AlcedoSupport

/// The effects that change local files.
extension EffectRunner {
    /// Changes files, and shows which are gone or have another name.
    func change(_ operation: FileOperation, _ items: [ItemID], _ answers: [String: ConflictAnswer]) async {
        if let item = items.first(where: isInArchive) {
            return context.inbox.post(.notice("\(fileName(of: item)) is in an archive; e saves it as a file"))
        }
        let paths =
            items.isEmpty && operation.folder != nil
            ? files.heldPaths : items.compactMap { context.listLoader.location($0) }
        let busy = operation.paths(of: paths)
        context.listLoader.changing.formUnion(busy)
        defer { context.listLoader.changing.subtract(busy) }
        let operation = operation.mapFolder(wholePath)
        let (outcome, notice) = await files.perform(operation, on: paths, answers: answers) { [inbox = context.inbox] in
            inbox.post(.files(.changing($0)))
        }
        let known =
            items.isEmpty
            ? context.listLoader.items(at: Set(paths)) : Dictionary(zip(paths, items)) { first, _ in first }
        // What becomes of folders is told by the watch of this one.
        show(outcome.changes, of: known.filter { context.listLoader.folder($0.value) == nil })
        tell(outcome, notice)
        let isDone = outcome.changes.contains { [.moved, .copied].contains($0.kind) }
        if isDone, let folder = operation.folder { await folders.add(FileHistory.absolute(folder)) }
    }

    func wholePath(_ path: String) -> String { PathCompletion.whole(path, from: place) }

    /// Posts what an operation meets.
    func plan(_ operation: FileOperation, _ items: [ItemID]) async {
        let paths = items.compactMap { context.listLoader.location($0) }
        let plan = await files.plan(operation.mapFolder(wholePath), on: paths)
        context.inbox.post(.files(.planned(plan, items)))
    }

    /// Remembers files that are to be copied or moved to another folder.
    func hold(_ items: [ItemID]) {
        if let item = items.first(where: isInArchive) {
            files.hold([])
            context.inbox.post(.files(.notHeld))
            return context.inbox.post(.notice("\(fileName(of: item)) is in an archive; e saves it as a file"))
        }
        files.hold(items.compactMap { context.listLoader.location($0) })
    }

    /// Posts what a copy or a move of the remembered files to this folder meets.
    func putFiles(areMoved: Bool) async {
        guard let place else { return }
        let operation: FileOperation = areMoved ? .move(into: place) : .copy(into: place)
        context.inbox.post(.files(.planned(await files.plan(operation, on: files.heldPaths), [])))
    }

    /// Lets the user edit names in an editor, one a line, and posts what they would change.
    func editNames(of items: [ItemID], _ names: [String]?) {
        let hasLineEnd = { (item: ItemID) in self.context.listLoader.location(item)?.pathName.contains("\n") == true }
        let left = items.count > 1 ? items.filter(hasLineEnd) : []
        let items = items.filter { !left.contains($0) }
        let paths = items.compactMap { context.listLoader.location($0) }
        let old = names ?? paths.map(\.pathName)
        do throws(ProgramProblem) {
            let new = try NameEditor(environment: settings.environment).edit(old, on: screen)
            context.inbox.post(.files(.renamesPlanned(RenamePlan(paths, to: new), items)))
            if let item = left.first {
                let others = left.count > 1 ? " and \(left.count - 1) others have" : " has"
                context.inbox.post(.notice("\(fileName(of: item))\(others) a line end: rename it alone"))
            }
        } catch {
            context.inbox.post(.warning("\(error)"))
        }
    }

    /// Takes the last change of files back, and shows the files again.
    func undoFiles() async {
        let changes = await files.changesToUndo
        let known = context.listLoader.items(at: Set(changes.flatMap { [$0.from, $0.to] }))
        // What this list has no row for is told by the watch of its folder.
        let listed = changes.filter { known[$0.to] != nil || known[$0.from] != nil }
        let busy = Set(listed.flatMap { [$0.from, $0.to] })
        context.listLoader.changing.formUnion(busy)
        defer { context.listLoader.changing.subtract(busy) }
        let (outcome, notice) = await files.undo { [inbox = context.inbox] in inbox.post(.files(.changing($0))) }
        show(outcome.changes.filter(\.isRename).map { ($0.to, $0.from) }, of: known)
        for change in outcome.changes where change.kind != .made && !change.isRename {
            known[change.to].map { context.inbox.post(.fileChanged($0, isThere: change.isTurn)) }
            guard !change.isTurn, change.kind != .copied else { continue }
            known[change.from].map { context.inbox.post(.fileChanged($0, isThere: true)) }
        }
        let first = outcome.changes.last { $0.kind != .made && $0.kind != .copied }
        first.flatMap { known[$0.from] ?? known[$0.to] }.map { context.inbox.post(.chosen($0)) }
        tell(outcome, notice)
    }

    /// Tells how a change of files went; of several failures each is kept among the messages.
    private func tell(_ outcome: FileOutcome, _ notice: String) {
        guard !outcome.failures.isEmpty else { return onOutcome(.notice(notice)) }
        if outcome.failures.count > 1 { onOutcome(.files(.failed(outcome.failures.prefix(50).map(\.text)))) }
        onOutcome(.warning(notice))
    }

    /// Shows what became of files, which are known by their paths before.
    private func show(_ changes: [FileChange], of known: [String: ItemID]) {
        show(changes.filter(\.isRename).map { ($0.from, $0.to) }, of: known)
        for change in changes where !change.isRename && change.kind != .copied {
            if let item = known[change.from] { context.inbox.post(.fileChanged(item, isThere: change.isTurn)) }
        }
    }

    /// Shows new names; a file may have several in turn.
    private func show(_ renames: [(from: String, to: String)], of known: [String: ItemID]) {
        var (places, renamed) = (known, Set<String>())
        for (from, to) in renames {
            guard let item = places.removeValue(forKey: from) else { continue }
            places[to] = item
            renamed.remove(from)
            renamed.insert(to)
        }
        for path in renamed.sorted() {
            places[path].map { context.inbox.post(.renamed(context.listLoader.relocate($0, to: path))) }
        }
    }
}

extension FileChange {
    /// Whether the file stays in its folder.
    fileprivate var isTurn: Bool { if case .turned = kind { true } else { false } }

    fileprivate var isRename: Bool { kind == .moved && from.pathFolder == to.pathFolder }
}
