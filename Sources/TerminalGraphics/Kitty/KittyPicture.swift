import FoundationEssentials
import Raster

/// A picture in kitty's graphics protocol, sent in escape codes, so that it also works over a network.
///
/// Each place on the screen has an image number of its own, which follows from content and place. The same picture
/// drawn again replaces itself; a different one is drawn before the old one is removed.
struct KittyPicture: Hashable, Sendable {
    /// The keys that describe the pixels and their display.
    private let keys: String
    /// The pixels in escape codes, from the first one's key `m` on.
    private let upload: [UInt8]
    private let contentNumber: UInt32

    /// The largest payload of an escape code in characters.
    private static let largestChunk = 4096

    /// Encodes a picture; the terminal stretches it over `grid`, or draws it pixel by pixel if that is nil.
    ///
    /// It is sent as a PNG file, because photographs take less than half the bytes of compressed pixels. If the file is
    /// not smaller than the pixels, those are sent: three bytes each, four with transparency.
    ///
    /// - Parameter background: The colour behind transparent pixels, for quality `fast`.
    @concurrent
    init(
        _ picture: PixelBuffer, background: Color, quality: Quality, palette: Palette?, filling grid: GridSize?
    ) async {
        guard !picture.size.isEmpty else {
            self.init(keys: "", payload: [])
            return
        }
        let rows = PixelRows(picture)
        let keys = grid.map { "c=\($0.columns),r=\($0.rows)," } ?? ""
        let file = await PNGWriter(level: 1).file(picture, quality: quality, palette: palette, background: background)
        if let file, file.count < rows.stride * picture.size.height {
            self.init(keys: keys + "f=100", payload: file)
        } else {
            self.init(
                keys: keys + "f=\(rows.channels * 8),s=\(picture.size.width),v=\(picture.size.height)",
                payload: rows.bytes(0..<picture.size.height))
        }
    }

    private init(keys: String, payload: [UInt8]) {
        self.keys = keys
        upload = Self.chunks([UInt8](Data(payload).base64EncodedData()))
        contentNumber = checksum(upload)
    }

    /// The number of bytes in memory.
    var count: Int { upload.count }

    /// Ends an upload that was cut after one of its control strings, with an empty last chunk.
    ///
    /// Until that chunk, kitty takes any other command, even a deletion, for a part of the upload.
    static let uploadTerminator = Array("\u{1B}_Gq=2,m=0;\u{1B}\\".utf8)

    /// Returns the bytes that draw the picture with its upper left corner in a cell.
    func bytes(atColumn column: Int, row: Int) -> [UInt8] {
        guard !upload.isEmpty else { return [] }
        let move = "\u{1B}[\(max(0, row) + 1);\(max(0, column) + 1)H"
        let number = imageNumber(column, row)
        return Array(move.utf8) + Array("\u{1B}_Ga=T,q=2,i=\(number),p=1,C=1,\(keys)".utf8) + upload
    }

    /// Returns the bytes that remove the picture that `bytes` drew, completely or partly, at the same place.
    func erasing(atColumn column: Int, row: Int) -> [UInt8] {
        guard !upload.isEmpty else { return [] }
        return Array("\u{1B}_Ga=d,q=2,d=I,i=\(imageNumber(column, row))\u{1B}\\".utf8)
    }

    /// The bytes that draw at the cursor and move it to the next line; the picture cannot be removed later.
    var inlineBytes: [UInt8] {
        upload.isEmpty ? [] : Array("\u{1B}_Ga=T,q=2,\(keys)".utf8) + upload + [10]
    }

    /// The bytes that remove all pictures on the screen and free their memory.
    static let erasingAll = Array("\u{1B}_Ga=d,q=2,d=A\u{1B}\\".utf8)

    /// Returns a number for this content at this place, from 1 to 2³¹ − 1, the largest that Konsole accepts.
    ///
    /// The probability that two different ones are equal is 1 in 2 thousand million.
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
