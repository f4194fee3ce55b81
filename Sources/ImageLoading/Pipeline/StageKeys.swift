import AlcedoImageCodecs
import Raster

/// The properties that equal transfers share: the source, and the caches that are read and written.
struct BytesKey: Hashable, Sendable {
    let source: String
    let policy: CachePolicy
    let cache: ObjectIdentifier
    /// The identity of a call's own downloader, or its type if it is a value; nil for the pipeline's downloader.
    let downloader: ObjectIdentifier?
    /// The time after its expiration for which an entry is accepted if the transfer fails; nil for never.
    ///
    /// It is part of the key because such a transfer is attempted only once and without long waits.
    var expiredLimit: Duration?
    /// The expected SHA-256 of the bytes; nil accepts all bytes.
    var sha256: String?
}

/// The properties that equal decodes share.
struct DecodeKey: Hashable, Sendable {
    let bytes: BytesKey
    /// Whether the bytes are stored first.
    ///
    /// Loads that do not store the bytes must not wait for the store, so the two are separate work.
    let storesOriginal: Bool
    /// The size that the decoder may scale the image into.
    let box: PixelSize?
    let limits: DecodeLimits
    let animation: AnimationLoading
    /// Whether the decoder scales the image.
    var isScaled: Bool { box != nil || limits.leadingSteps != nil }
}

/// The properties that equal pictures share: the decode, and the chain up to this step.
struct StepKey: Hashable, Sendable {
    let decode: DecodeKey
    /// The identifier of the chain; empty for the decoded picture.
    let identifier: String
}

/// The properties that equal loads share: the image and where it is stored.
struct LoadKey: Hashable, Sendable {
    let step: StepKey
    let cache: ObjectIdentifier
    let isOnDisk: Bool
    let waits: Bool
}
