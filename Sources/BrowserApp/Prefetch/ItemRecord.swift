import BrowserCore
import Foundation
import ImageLoading
import Lists

/// A list item that is being processed.
struct ItemRecord: Sendable {
    let id: Int
    /// The list entry; its line is 0 if the list has no lines.
    let entry: ListEntry
    /// The redacted name of its list.
    let list: String
    let name: PictureName
    let work: ItemWork
    var attempts = 1
    /// The status code of the last failed response.
    var statusCode: Int?
    /// The thumbnail for the report, as a data URL.
    var thumbnail: String?
    /// The facts of bytes that were refused.
    var refused: DataResult?

    init(id: Int, entry: ListEntry, list: String) {
        self.id = id
        self.entry = entry
        self.list = list
        name = PictureName(of: entry)
        work = ItemWork(on: name, process: entry.process)
    }

    /// The line in its list, from 1; 0 for an argument.
    var line: Int { entry.line }

    /// The location without credentials and secrets.
    var shown: String { SafeText.clean(Redaction.display(entry.location)) }

    /// The cache key without credentials and secrets.
    var shownKey: String { SafeText.clean(Redaction.display(entry.key ?? entry.location)) }

    /// Returns the redacted address that finally delivered the picture, after redirects or as a mirror; nil if it is
    /// the item's own.
    func place(of result: DataResult) -> String? {
        guard let url = result.url?.absoluteString else { return nil }
        let requested = WebAddress.url(entry.location)?.absoluteString ?? entry.location
        guard URLNormalizer.normalize(url) != URLNormalizer.normalize(requested) else { return nil }
        return SafeText.clean(Redaction.display(url))
    }

    /// The name and the host or folder, for a row of the screen.
    var row: BrowseItem { BrowseItem(id: ItemID(id), entry: entry) }
}

/// Identifies the work on a picture; the same picture may pass through several processors.
struct ItemWork: Sendable, Hashable {
    let text: String

    init(on picture: PictureName, process: String? = nil) {
        text = process.map { "\(picture.text)\n\($0)" } ?? picture.text
    }

    var hash: UInt64 { StableHash.hash(text) }
}

/// The outcome of an item.
enum ItemOutcome: Sendable {
    case finished(DataResult)
    case duplicate
    /// Completed by the interrupted run that this run resumes.
    case doneBefore
    /// Failed permanently in the interrupted run, with this error code.
    case failedBefore(code: Int)
    /// Not downloaded, because this is a dry run.
    case planned
    case failed(ImageError)
}
