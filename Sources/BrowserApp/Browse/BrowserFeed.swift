import BrowserCore
import Foundation
import ImageLoading
import Lists

/// The list behind the browser: read in the background, handed to the screen as it comes.
@MainActor
final class BrowserFeed {
    private let lists: [String]
    private let base: ListBase?
    private let inbox: Inbox<BrowseMessage>
    private var locations: [String] = []
    private var duplicates = DuplicateFilter()

    init(lists: [String], base: ListBase? = nil, inbox: Inbox<BrowseMessage>) {
        self.lists = lists
        self.base = base
        self.inbox = inbox
    }

    /// Where an item's picture comes from; nil for an unknown item.
    func source(_ item: ItemID) -> Source? {
        locations.indices.contains(item.rawValue) ? SourceReference.source(for: locations[item.rawValue]) : nil
    }

    func location(_ item: ItemID) -> String? {
        locations.indices.contains(item.rawValue) ? locations[item.rawValue] : nil
    }

    func items(_ ids: [ItemID]) -> [PrefetchItem] {
        ids.compactMap { id in source(id).map { PrefetchItem(id: id.rawValue, source: $0) } }
    }

    /// Reads every list to its end; what comes while the screen is busy arrives as one message.
    func read() async {
        let parsed = Inbox<ListEvent>()
        let reading = Task { await Self.read(lists, base: base, into: parsed, notices: inbox) }
        for await _ in parsed.wakes { take(parsed.drain()) }
        inbox.post(.listEnded(skipped: await reading.value))
    }

    private func take(_ events: [ListEvent]) {
        var items: [BrowseItem] = []
        var repeated: [(ItemID, ItemID)] = []
        for case .entry(let entry) in events {
            let id = ItemID(locations.count)
            locations.append(entry.location)
            items.append(BrowseItem(id: id, entry: entry))
            if let first = duplicates.insert(entry.location, at: id.rawValue) {
                repeated.append((id, ItemID(first)))
            }
        }
        if !items.isEmpty { inbox.post(.itemsAdded(items)) }
        for (item, first) in repeated { inbox.post(.statusChanged(item, .duplicate(of: first))) }
    }

    /// Answers how many lines were not usable; a list that cannot be read is said and passed over.
    @concurrent
    private static func read(
        _ lists: [String], base: ListBase?, into parsed: Inbox<ListEvent>, notices: Inbox<BrowseMessage>
    ) async -> Int {
        var skipped = 0
        for list in lists {
            do {
                var isTold = false
                for try await event in ListReader(try ListSource.recognise(list), base: base) {
                    if !isTold, let reason = event.listInList {
                        notices.post(.notice("\(Redacted.text(list)): \(reason)"))
                        isTold = true
                    }
                    let event = event.picturesOnly
                    if case .rejected = event { skipped += 1 }
                    parsed.post(event)
                }
            } catch {
                notices.post(.notice("\(error)"))
            }
        }
        parsed.close()
        return skipped
    }
}

extension BrowseItem {
    /// What the screen needs of a list's entry, made safe to show.
    init(id: ItemID, entry: ListEntry) {
        let shown = SafeText.clean(Redaction.display(entry.location))
        let url = URL(string: entry.location)
        let path = url?.path() ?? entry.location
        let last = path.split(separator: "/").last.map(String.init) ?? url?.host() ?? entry.location
        self.init(
            id: id, name: SafeText.clean(entry.title ?? last.removingPercentEncoding ?? last),
            place: SafeText.clean(url?.host() ?? String(path.dropLast(last.count))), location: shown)
    }
}
