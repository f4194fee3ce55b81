import BrowserCore
import Foundation
import ImageLoading
import Lists
import Terminal

/// The list behind the browser: read in the background, handed to the screen as it comes.
@MainActor
final class BrowserFeed {
    /// So many entries may wait for the screen before the reading waits too.
    private nonisolated static let limit = 4096
    /// More rows than any screen has, and how long what comes after them may gather.
    private static let fullScreen = 1000
    private static let pause = Duration.milliseconds(10)

    private let lists: [String]
    private let base: ListBase?
    private let inbox: Inbox<BrowseMessage>
    private let clock: any Clock<Duration>
    private let taken = Inbox<ListIntake.Taken>()
    private var texts = TextPages()
    private var locations: [TextPages.Place] = []
    /// How often something was left out of a line that was usable.
    private(set) var noteCount = 0
    /// Of those that say more than where their picture is.
    private var details: [ItemID: ListEntry] = [:]

    init(
        lists: [String], base: ListBase? = nil, inbox: Inbox<BrowseMessage>,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.lists = lists
        self.base = base
        self.inbox = inbox
        self.clock = clock
    }

    /// Where an item's picture comes from; nil for an unknown item.
    func source(_ item: ItemID) -> Source? {
        location(item).flatMap { SourceReference.source(for: $0, key: details[item]?.key) }
    }

    func location(_ item: ItemID) -> String? {
        locations.indices.contains(item.rawValue) ? texts[locations[item.rawValue]] : nil
    }

    /// The first item whose picture is in one of some entries; nil where the list has none of them.
    ///
    /// They are compared by the digests of their keys, as the cache keeps no secrets of addresses. Complexity: O(items).
    func item(of entries: [CacheEntry]) async -> ItemID? {
        await Self.first(of: locations, in: texts, details.mapValues(\.key), named: Set(entries.map(\.sourceName)))
    }

    @concurrent
    private nonisolated static func first(
        of locations: [TextPages.Place], in texts: TextPages, _ keys: [ItemID: String?], named names: Set<String>
    ) async -> ItemID? {
        let index = locations.indices.first { index in
            let key = keys[ItemID(index)] ?? nil
            guard let source = SourceReference.source(for: texts[locations[index]], key: key) else { return false }
            return names.contains(CacheEntryKey(source: source.cacheKey).name)
        }
        return index.map { ItemID($0) }
    }

    /// What its list has an item pass through; nil where it says nothing.
    func process(of item: ItemID) -> String? { details[item]?.process }

    /// What is fetched instead where data is dear; nil where its list names nothing.
    func smallerLocation(of item: ItemID) -> String? { details[item]?.lowData }

    /// How an item is loaded: as all are, but for what its list says of it.
    func options(_ options: ImageOptions, for item: ItemID) -> ImageOptions {
        guard let entry = details[item] else { return options }
        let loading = EntryLoading(options: options, variants: [])
        var special = (try? loading.item(item.rawValue, entry))?.options ?? options
        special.download.priority = options.download.priority
        return special
    }

    /// The same items for the prefetcher, which loads most of them with its own options.
    func items(_ ids: [ItemID], options: ImageOptions) -> [PrefetchItem] {
        ids.compactMap { id in
            guard let source = source(id) else { return nil }
            var item = PrefetchItem(id: id.rawValue, source: source)
            if details[id] != nil { item.options = self.options(options, for: id) }
            return item
        }
    }

    /// Reads every list to its end; what comes while the screen is busy arrives as one message.
    func read() async {
        let reading = Task { await readAll() }
        for await _ in taken.wakes {
            passOn()
            // Keys and frames come in between, and what is read meanwhile goes on as one. Once the screen is full, nobody
            // waits for a row: to be woken for each would take half of the time.
            if locations.count < Self.fullScreen { await Task.yield() } else { try? await clock.sleep(for: Self.pause) }
        }
        let skipped = await reading.value
        noteCount = skipped.noteCount
        skipped.noteText.map { inbox.post(.notice($0)) }
        inbox.post(.listEnded(skipped: skipped.count, reasons: skipped.reasons))
    }

    private func passOn() {
        let entries = taken.drain()
        guard !entries.isEmpty else { return }
        for entry in entries {
            locations.append(texts.append(entry.location))
            if let said = entry.details { details[entry.item.id] = said }
        }
        inbox.post(.itemsAdded(entries.map(\.item)))
    }

    /// Lines that were not usable.
    private struct Skipped: Sendable {
        var count = 0
        /// Which the first were, and why.
        var reasons: [String] = []
        /// How often something was left out of a line that was not skipped, and what the first was.
        var noteCount = 0
        var firstNote: String?

        mutating func skip(_ reason: String) {
            count += 1
            if reasons.count < 20 { reasons.append(reason) }
        }

        /// Something of a line that was not skipped.
        mutating func note(_ note: String) {
            noteCount += 1
            firstNote = firstNote ?? note
        }

        var noteText: String? {
            firstNote.map { "\($0)\(noteCount > 1 ? ", and \(Units.count(noteCount - 1)) more such" : "")" }
        }
    }

    private nonisolated func rejection(_ line: Int, of list: String, _ reason: String) -> String {
        lists.count == 1 && line > 0 ? "line \(line): \(reason)" : Redaction.rejection(line, of: list, reason: reason)
    }

    /// A list that cannot be read is said and passed over.
    @concurrent
    private nonisolated func readAll() async -> Skipped {
        var intake = ListIntake()
        var skipped = Skipped()
        for list in lists {
            do {
                var isTold = false
                for try await event in ListReader(try ListSource.detect(list), base: base) {
                    if !isTold, let reason = event.listInList {
                        inbox.post(.notice("\(Redaction.display(list)): \(reason)"))
                        isTold = true
                    }
                    switch event.picturesOnly {
                    case .entry(let entry):
                        if let reason = entry.processProblem {
                            skipped.skip(rejection(entry.line, of: list, reason))
                            continue
                        }
                        taken.post(intake.take(entry))
                        if intake.count % Self.limit == 0 { await passOn() }
                    case .warning(let line, let reason): skipped.note(rejection(line, of: list, reason))
                    case .rejected(let line, let reason): skipped.skip(rejection(line, of: list, reason))
                    }
                }
            } catch {
                inbox.post(.notice("\(error)"))
            }
        }
        taken.close()
        return skipped
    }
}
