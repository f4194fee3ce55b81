import Raster

/// Which tiers a request may ask; work is only shared by requests that may ask the same.
enum LookUp: Hashable, Sendable {
    case everywhere, memoryOnly, cacheOnly, nowhere
    /// What lies on disk is only used when the server says that it holds.
    case validating
    /// What lies on disk will do, as the server could not be asked.
    case evenExpired

    var readsMemory: Bool { self != .nowhere && self != .validating }
    /// Whether an address that was found gone just now is not asked again.
    var trustsMemoryOfGone: Bool { readsMemory }
    var readsDisk: Bool { self == .everywhere || self == .cacheOnly || self == .evenExpired }
}

/// What equal transfers share: the bytes of one source, and where they may come from and go.
struct BytesIdentity: Hashable, Sendable {
    let source: String
    let lookUp: LookUp
    let cache: ObjectIdentifier
    /// Whether they are kept; who only wants to see them joins no store.
    let isKept: Bool
    /// A call's own downloader, or its type where it is a value; nil for the pipeline's.
    let downloader: ObjectIdentifier?
    /// For how long after its end what lies here will do instead, which they are waited for less then; nil where it will
    /// not.
    var expiredLimit: Duration?
    /// What the bytes must be; nil where anything will do.
    var sha256: String?
}

/// A transfer looks twenty times for what it shares, and its source may be long.
typealias BytesKey = Hashed<BytesIdentity>

/// A value whose hash is computed once.
struct Hashed<Value: Hashable & Sendable>: Hashable, Sendable {
    let value: Value
    private let hash: Int

    init(_ value: Value) {
        self.value = value
        hash = value.hashValue
    }

    static func == (one: Self, other: Self) -> Bool { one.hash == other.hash && one.value == other.value }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// What equal decodes share.
struct DecodeKey: Hashable, Sendable {
    let bytes: BytesKey
    /// What the decoder may scale into.
    let box: PixelSize?
    let limits: DecodeLimits
    let animation: AnimationLoading
}

/// What equal steps share: the decode and the chain up to and with the step.
struct StepKey: Hashable, Sendable {
    let decode: DecodeKey
    let identifier: String
}

/// What equal loads share: the picture and where it is kept.
struct LoadKey: Hashable, Sendable {
    let step: StepKey
    let cache: ObjectIdentifier
    let isOnDisk: Bool
    let waits: Bool
}
