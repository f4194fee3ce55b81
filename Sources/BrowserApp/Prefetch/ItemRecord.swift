import BrowserCore
import Foundation
import ImageLoading
import Lists

/// One item of a list on its way.
struct ItemRecord: Sendable {
    /// What stays as it is, behind a reference: every step of an item would carry its 256 bytes along.
    private final class Facts: Sendable {
        let id: Int
        let entry: ListEntry
        let list: String
        let name: PictureName
        let work: ItemWork

        init(id: Int, entry: ListEntry, list: String) {
            self.id = id
            self.entry = entry
            self.list = list
            name = PictureName(of: entry)
            work = ItemWork(on: name, process: entry.process)
        }
    }

    private let facts: Facts
    var attempts = 1
    /// What the server had answered with when it failed all the same.
    var statusCode: Int?

    init(id: Int, entry: ListEntry, list: String) { facts = Facts(id: id, entry: entry, list: list) }

    var id: Int { facts.id }

    /// As the list has it, but that its line is 0 where there is none to look up.
    var entry: ListEntry { facts.entry }

    /// The list it is of, as it may be shown.
    var list: String { facts.list }
    var name: PictureName { facts.name }
    var work: ItemWork { facts.work }

    /// Where the item stands in its list, from 1; 0 for an argument.
    var line: Int { entry.line }

    /// Without credentials and secrets.
    var shown: String { SafeText.clean(Redaction.display(entry.location)) }

    /// What the caches know it by, without credentials and secrets.
    var shownKey: String { SafeText.clean(Redaction.display(entry.key ?? entry.location)) }

    /// Who answered in the end, behind redirects or as a mirror; nil where that is the address itself, or nobody did.
    func place(of result: DataResult) -> String? {
        guard let url = result.url?.absoluteString else { return nil }
        let asked = WebAddress.url(entry.location)?.absoluteString ?? entry.location
        guard URLNormalizer.normalize(url) != URLNormalizer.normalize(asked) else { return nil }
        return SafeText.clean(Redaction.display(url))
    }

    /// Its name and its host or folder, for a row of a screen.
    var row: BrowseItem { BrowseItem(id: ItemID(id), entry: entry) }
}

/// What is to be done, to tell it from what was done: one picture may pass through several processors.
struct ItemWork: Sendable, Hashable {
    let text: String

    init(on picture: PictureName, process: String? = nil) {
        text = process.map { "\(picture.text)\n\($0)" } ?? picture.text
    }

    var hash: UInt64 { StableHash.hash(text) }
}

/// How one item ended.
enum ItemOutcome: Sendable {
    case ended(DataResult)
    case duplicate
    /// Done before the run was interrupted that this one goes on with.
    case doneBefore
    /// Failed then, for good, with the error of this code.
    case failedBefore(code: Int)
    /// Would be fetched, if this were no dry run.
    case planned
    case failed(ImageError)
}
