import Raster

/// A picture as kitty's graphics protocol has it, at whatever place.
///
/// Each place on the screen is an image of its own to the terminal, named by a number that follows from the content and
/// the place: the same picture drawn again replaces itself, and a different one is drawn before the old one is erased.
struct KittyPicture: Hashable, Sendable {
    /// The keys that say what the pixels are and how they are shown.
    private let keys: String
    /// The pixels in escape codes, from the first one's key `m` on.
    private let upload: [UInt8]
    private let contentNumber: UInt32

    /// No escape code is longer: 4096 characters of payload and the keys.
    static let largestChunk = 4096

    /// Takes `payload`, which is not yet in base64.
    init(keys: String, payload: [UInt8]) {
        self.keys = keys
        upload = Self.chunks(Base64.encoded(payload))
        contentNumber = checksum(upload)
    }

    /// The bytes held.
    var count: Int { upload.count }

    /// Ends an upload that was cut after one of its control strings: an empty last chunk.
    ///
    /// kitty takes any other command, a deletion too, for a part of the upload until that chunk comes.
    static let uploadEnd = Array("\u{1B}_Gq=2,m=0;\u{1B}\\".utf8)

    /// The bytes that draw the picture with its upper left corner in a cell.
    func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !upload.isEmpty else { return [] }
        let move = "\u{1B}[\(max(0, row) + 1);\(max(0, column) + 1)H"
        let number = imageNumber(column, row)
        return Array(move.utf8) + Array("\u{1B}_Ga=T,q=2,i=\(number),p=1,C=1,\(keys)".utf8) + upload
    }

    /// The bytes that take away what `bytes` with the same place drew, or drew a part of.
    func erasing(atColumn column: Int, row: Int) -> [UInt8] {
        guard !upload.isEmpty else { return [] }
        return Array("\u{1B}_Ga=d,q=2,d=I,i=\(imageNumber(column, row))\u{1B}\\".utf8)
    }

    /// The bytes that draw where the cursor stands and leave it in the line after; nothing can name this picture later.
    var inlineBytes: [UInt8] {
        upload.isEmpty ? [] : Array("\u{1B}_Ga=T,q=2,\(keys)".utf8) + upload + [10]
    }

    /// The bytes that erase all pictures on the screen and free their memory.
    static let erasingAll = Array("\u{1B}_Ga=d,q=2,d=A\u{1B}\\".utf8)

    /// A number for this content at this place, from 1 to 2³¹ − 1: Konsole takes none above.
    ///
    /// Two different ones are equal in one of two thousand million cases.
    private func imageNumber(_ column: Int, _ row: Int) -> UInt32 {
        let place = UInt32(truncatingIfNeeded: max(0, row)) << 16 ^ UInt32(truncatingIfNeeded: max(0, column))
        return max(1, (contentNumber ^ place &* 0x9E37_79B1) & 0x7FFF_FFFF)
    }

    private static func chunks(_ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + payload.count / largestChunk * 16 + 16)
        for start in stride(from: 0, to: payload.count, by: largestChunk) {
            let end = min(start + largestChunk, payload.count)
            if start > 0 { bytes += "\u{1B}_Gq=2".utf8 }
            bytes += (end < payload.count ? ",m=1;" : ",m=0;").utf8
            bytes += payload[start..<end]
            bytes += "\u{1B}\\".utf8
        }
        return bytes
    }
}
