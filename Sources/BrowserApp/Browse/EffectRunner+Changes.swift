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
        for change in outcome.changes { known[change.from].map { show(change, of: $0) } }
        onOutcome(outcome.failures.isEmpty ? .notice(notice) : .warning(notice))
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
        let (outcome, notice) = await files.undo()
        for change in outcome.changes where change.kind != .made {
            if change.isRename {
                (known[change.to] ?? known[change.from]).map { rename($0, to: change.from) }
            } else {
                known[change.to].map { context.inbox.post(.fileChanged($0, isThere: false)) }
                if change.kind != .copied {
                    known[change.from].map { context.inbox.post(.fileChanged($0, isThere: true)) }
                }
            }
        }
        let first = outcome.changes.last { $0.kind != .made }
        first.flatMap { known[$0.from] ?? known[$0.to] }.map { context.inbox.post(.chosen($0)) }
        onOutcome(outcome.failures.isEmpty ? .notice(notice) : .warning(notice))
    }

    /// Shows what became of an item's file.
    private func show(_ change: FileChange, of item: ItemID) {
        if change.isRename {
            rename(item, to: change.to)
        } else if change.kind != .copied {
            context.inbox.post(.fileChanged(item, isThere: false))
        }
    }

    private func rename(_ item: ItemID, to path: String) {
        context.inbox.post(.renamed(context.listLoader.relocate(item, to: path)))
    }
}

extension FileChange {
    /// Whether the file stays in its folder.
    fileprivate var isRename: Bool { kind == .moved && from.pathFolder == to.pathFolder }
}
