import AlcedoSandbox
import FoundationEssentials
import Raster

/// A file that was made of a picture by a recipe.
package struct NewFile: Sendable, Hashable {
    package let recipe: PictureRecipe
    package let data: Data
}

/// The facts about a picture's file, from the file itself and from its server.
///
/// The members of `picture` are members of this type, too.
@dynamicMemberLookup
public struct ImageFacts: Sendable, Hashable {
    /// The facts that the file itself states.
    public var picture: PictureFacts
    /// The media type that the server sent; nil if there is none.
    public var contentType: String?
    /// The SHA-256 of the bytes in hexadecimal; nil if they are not in the disk cache.
    public var sha256: String?
    /// The entity tag that the server sent; nil if there is none.
    public var etag: String?
    /// The modification date as the server wrote it; nil if it sent none.
    public var lastModified: String?
    /// The picture scaled down, if `keepsThumbnail` was set and the pixels were decoded.
    package var thumbnail: Image?
    /// The new file that the check made by the recipe of the options, if it did, with that recipe.
    package var newFile: NewFile?
    /// When the bytes were fetched; nil for bytes that this load fetched.
    public var fetchedAt: Date?

    /// A member of `picture`.
    public subscript<Value>(dynamicMember fact: WritableKeyPath<PictureFacts, Value>) -> Value {
        get { picture[keyPath: fact] }
        set { picture[keyPath: fact] = newValue }
    }

    init(_ picture: PictureFacts) { self.picture = picture }

    /// Creates the facts of bytes that were refused before their facts were known.
    init(refused data: Data, _ error: ImageError) {
        picture = DeclaredHeader.read(data).map { PictureFacts($0) } ?? PictureFacts()
        picture.verdict =
            switch error {
            case .processor(.damaged(_, let damage)): PictureVerdict(damage)
            case .processor(.decodingFailed): .unreadable
            default: nil
            }
    }

    /// Creates the facts that a check found.
    ///
    /// - Parameter recipe: The recipe that the check was given.
    init(_ facts: FileFacts, recipe: PictureRecipe? = nil) {
        picture = facts.picture
        thumbnail = facts.thumbnail
        if let recipe, let made = facts.newFile { newFile = NewFile(recipe: recipe, data: made) }
    }

    /// Creates the facts that the disk cache has.
    package init(_ entry: CacheEntry) {
        picture = entry.facts.picture
        contentType = CacheEntryFacts.contentType(among: entry.facts.headers)
        sha256 = entry.digest
        (etag, lastModified, fetchedAt) = (entry.facts.etag, entry.facts.lastModified, entry.stored)
    }

    /// Adds the facts that the server states about the file.
    mutating func add(_ download: Download) {
        contentType = CacheEntryFacts.contentType(among: download.headers)
        (etag, lastModified) = (download.etag, download.lastModified)
    }

    /// Returns the name or media type if it contradicts the file's format; nil if neither does.
    package func mismatch(address: String) -> String? {
        picture.format?.mismatch(address: address, contentType: contentType)
    }
}
