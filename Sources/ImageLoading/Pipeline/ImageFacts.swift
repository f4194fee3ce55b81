import Foundation
import Raster

/// The facts about a picture's file.
public struct ImageFacts: Sendable, Hashable {
    /// The format, size, number of frames and colours; nil if the bytes are no picture.
    public var header: ImageHeader?
    /// The result of the check of the pixels; nil if it is not known.
    public var verdict: PictureVerdict?
    /// The perceptual hash; nil if the pixels were not decoded.
    public var hash: PerceptualHash?
    /// The EXIF orientation that the file states, 1 to 8; nil if it is not known or the format has none.
    public var orientation: Int?
    /// Whether a pixel is transparent; nil if the pixels were not decoded.
    public var hasAlpha: Bool?
    /// The length of one play of an animation; nil for a still picture, and if it is not known.
    public var duration: Duration?
    /// Whether only the beginning of the file was read, which does not tell the number of frames of GIF and WebP.
    package var isBeginning = false
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
    /// When the bytes were fetched; nil for bytes that this load fetched.
    public var fetchedAt: Date?

    /// Creates the facts of a file whose pixels were not decoded.
    init(header: ImageHeader?, verdict: PictureVerdict) {
        self.header = header
        self.verdict = verdict
    }

    /// Creates the facts of bytes that were refused before their facts were known.
    init(refused data: Data, _ error: ImageError) {
        header = DeclaredHeader.read(data)
        verdict =
            switch error {
            case .processor(.damaged(_, let damage)): PictureVerdict(damage)
            case .processor(.decodingFailed): .unreadable
            default: nil
            }
    }

    /// Creates the facts that a check found.
    init(_ facts: FileFacts) {
        header = facts.header
        verdict = facts.pixels == nil ? .unchecked : PictureVerdict(facts.damage)
        orientation = facts.orientation
        hash = facts.pixels?.hash
        hasAlpha = facts.pixels?.hasAlpha
        duration = facts.pixels?.duration
        thumbnail = facts.thumbnail
    }

    /// Creates the facts that the disk cache has.
    package init(_ entry: CacheEntry) {
        let facts = entry.facts
        if let format = facts.imageFormat, let size = facts.size {
            header = ImageHeader(
                format: format, size: size, frameCount: facts.frames ?? 1,
                color: facts.color.flatMap { ColorFacts(description: $0) })
        }
        verdict = facts.verdict.flatMap(PictureVerdict.init)
        hash = facts.hash.map(PerceptualHash.init(bits:))
        hasAlpha = facts.hasAlpha
        duration = facts.duration.map { .milliseconds($0) }
        orientation = facts.orientation
        contentType = CacheEntryFacts.contentType(among: facts.headers)
        sha256 = entry.digest
        (etag, lastModified, fetchedAt) = (facts.etag, facts.lastModified, entry.stored)
    }

    /// Adds what the server said about the file.
    mutating func add(_ download: Download) {
        contentType = CacheEntryFacts.contentType(among: download.headers)
        (etag, lastModified) = (download.etag, download.lastModified)
    }

    /// Returns the name or media type that states another format than the file has; nil if neither does.
    package func mismatch(address: String) -> String? {
        header?.format.mismatch(address: address, contentType: contentType)
    }

    /// Adds the facts to those that the disk cache stores.
    func add(to facts: inout CacheEntryFacts) {
        facts.verdict = verdict?.rawValue
        facts.hash = hash?.bits
        facts.hasAlpha = hasAlpha
        facts.duration = duration?.milliseconds
        facts.orientation = orientation
        facts.color = header?.color?.description
    }
}

/// The result of a check of a file's pixels.
public enum PictureVerdict: String, Sendable, Hashable {
    /// All pixels are there.
    case whole
    case incomplete
    case corrupt
    /// Nothing can be decoded; any content was accepted.
    case unreadable
    /// The pixels were not decoded: by choice, or because the picture exceeds a limit.
    case unchecked

    init(_ damage: PictureDamage?) {
        self =
            switch damage {
            case nil, .missingEnd: .whole
            case .incomplete: .incomplete
            case .corrupt: .corrupt
            }
    }
}
