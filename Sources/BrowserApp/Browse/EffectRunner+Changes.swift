import AlcedoBrowserCore
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
        var known: [String: ItemID] = [:]
        for item in items { context.listLoader.location(item).map { known[$0] = item } }
        let paths = items.compactMap { context.listLoader.location($0) }
        let (outcome, notice) = await files.perform(operation, on: paths) { [inbox = context.inbox] count in
            inbox.post(.notice("\(Units.count(count)) of \(Units.count(paths.count)) files\u{2026}"))
        }
        for change in outcome.changes { show(change.kind, known[change.from], change.from, change.to, isBack: false) }
        context.inbox.post(outcome.failures.isEmpty ? .notice(notice) : .warning(notice))
    }

    /// Takes the last change of files back, and shows the files again.
    func undoFiles() async {
        let (outcome, notice) = await files.undo()
        let known = context.listLoader.items(at: Set(outcome.changes.flatMap { [$0.from, $0.to] }))
        for change in outcome.changes {
            show(change.kind, known[change.to] ?? known[change.from], change.to, change.from, isBack: true)
        }
        let first = outcome.changes.last { $0.kind != .made }
        if let item = first.flatMap({ known[$0.from] }) { context.inbox.post(.chosen(item)) }
        context.inbox.post(outcome.failures.isEmpty ? .notice(notice) : .warning(notice))
    }

    private func show(_ kind: FileChange.Kind, _ item: ItemID?, _ old: String, _ new: String, isBack: Bool) {
        guard let item else { return }
        switch kind {
        case .moved where old.pathFolder == new.pathFolder:
            context.inbox.post(.renamed(context.listLoader.relocate(item, to: new)))
        case .moved, .trashed: context.inbox.post(.fileChanged(item, isThere: isBack))
        case .copied, .made: break
        }
    }
}
