import Foundation

/// Where the bytes of a content lie.
enum ContentPlace: Hashable, Sendable {
    /// In a file of its own, under its name.
    case file
    case pack(PackSlot)
}

/// A content as the index knows it.
struct StoredContent: Hashable, Sendable {
    let id: Int64
    /// A `ContentName`, as far as the index is right.
    let name: String
    let length: Int
    let place: ContentPlace
}

/// A content on its way into the index.
struct NewContent: Sendable {
    let name: ContentName
    let length: Int
    /// What goes into a pack; nil where a file has been written.
    let packed: Data?
}

/// The bytes of the cache: files by digest, and packs for what is small.
struct ContentStore: Sendable {
    typealias Problem = BlobStore.Problem

    let blobs: BlobStore
    let packs: PackStore

    /// Reads a content and checks its length; its digest when asked, and of what lies in a pack always.
    func read(_ content: StoredContent, checkingDigest: Bool) throws(Problem) -> Data {
        switch content.place {
        case .file: return try blobs.read(content.name, length: content.length, checkingDigest: checkingDigest)
        case .pack(let slot):
            guard let name = ContentName(content.name) else { throw .damaged("not a digest") }
            return try packs.read(slot, name: name)
        }
    }

    /// Whether something of the content's length stands in its place.
    func holds(_ content: StoredContent) -> Bool { fault(of: content) == nil }

    /// Returns the fault of a content that shows without reading it; nil where there is none.
    func fault(of content: StoredContent) -> Problem? {
        switch content.place {
        case .file: blobs.fault(of: content.name, length: content.length)
        case .pack(let slot): packs.holds(slot) ? nil : .missing
        }
    }

    /// Whether the content itself stands in its place.
    func holdsWhole(_ content: StoredContent) -> Bool { (try? read(content, checkingDigest: true)) != nil }

    /// Removes all content at once.
    func removeAll() throws(Problem) {
        try blobs.removeAll()
        try packs.removeAll()
    }
}
