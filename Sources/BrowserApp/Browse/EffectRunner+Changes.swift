import AlcedoBrowserCore
import AlcedoConfig
import AlcedoFileOperations
import AlcedoScreen
import AlcedoSupport

/// The effects that change local files.
extension EffectRunner {
    /// Changes files, and shows which are gone or have another name.
    func change(_ operation: FileOperation, _ items: [ItemID]) async {
        if let item = items.first(where: isInArchive) {
            return context.inbox.post(.notice("\(fileName(of: item)) is in an archive; e saves it as a file"))
        }
        let paths = items.compactMap { context.listLoader.location($0) }
        let busy = operation.paths(of: paths)
        context.listLoader.changing.formUnion(busy)
        defer { context.listLoader.changing.subtract(busy) }
        let operation = operation.mapFolder(ExportBatch.withHome)
        let (outcome, notice) = await files.perform(operation, on: paths) { [inbox = context.inbox] count in
            inbox.post(.notice("\(Units.count(count)) of \(Units.count(paths.count)) files\u{2026}"))
        }
        let known = Dictionary(zip(paths, items)) { first, _ in first }
        for change in outcome.changes { known[change.from].map { show(change, of: $0, isBack: false) } }
        onOutcome(outcome.failures.isEmpty ? .notice(notice) : .warning(notice))
    }

    /// Takes the last change of files back, and shows the files again.
    func undoFiles() async {
        let busy = await files.pathsToUndo
        // What this list has no row for is told by the watch of its folder.
        let listed = Set(context.listLoader.items(at: busy).keys)
        context.listLoader.changing.formUnion(listed)
        defer { context.listLoader.changing.subtract(listed) }
        let (outcome, notice) = await files.undo()
        let known = context.listLoader.items(at: busy)
        for change in outcome.changes where change.kind != .made {
            (known[change.to] ?? known[change.from]).map { show(change, of: $0, isBack: true) }
        }
        let first = outcome.changes.last { $0.kind != .made }
        first.flatMap { known[$0.to] ?? known[$0.from] }.map { context.inbox.post(.chosen($0)) }
        onOutcome(outcome.failures.isEmpty ? .notice(notice) : .warning(notice))
    }

    private func show(_ change: FileChange, of item: ItemID, isBack: Bool) {
        if change.kind == .moved, change.from.pathFolder == change.to.pathFolder {
            let path = isBack ? change.from : change.to
            context.inbox.post(.renamed(context.listLoader.relocate(item, to: path)))
        } else if change.kind != .copied {
            context.inbox.post(.fileChanged(item, isThere: isBack))
        }
    }
}
