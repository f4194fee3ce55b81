import Raster

/// A walk over run-length codes to their end: ImageMagick returns a picture even if they end too early.
///
/// Sources: the Windows documentation of bitmap compression, ZSoft's PCX manual.
enum RunLengths {
    /// Returns whether the codes of a bitmap, if it has such, lead to the end code or fill the last row.
    static func reachEndOfBitmap(_ view: ByteView) -> Bool {
        func byte(_ offset: Int) -> Int? { view.number(at: offset, bytes: 1) }
        guard let header = BitmapHeader(view, at: 14), let packing = view.number(at: 30, bytes: 4, isLittle: true),
            header.isPacked, packing < 3, var offset = view.number(at: 10, bytes: 4, isLittle: true)
        else { return true }
        var (x, y) = (0, 0)
        while y < header.size.height - 1 || y == header.size.height - 1 && x < header.size.width {
            guard let count = byte(offset), let value = byte(offset + 1) else { return false }
            offset += 2
            switch (count, value) {
            case (0, 0): (x, y) = (0, y + 1)
            case (0, 1): return true
            case (0, 2):
                guard let right = byte(offset), let up = byte(offset + 1) else { return false }
                (x, y, offset) = (x + right, y + up, offset + 2)
            case (0, _):
                // The samples, of eight or four bits, fill pairs of bytes.
                let bytes = packing == 1 ? value : (value + 1) / 2
                guard view.part(at: offset, count: bytes) != nil else { return false }
                (x, offset) = (x + value, offset + (bytes + 1) / 2 * 2)
            default: x += count
            }
        }
        return true
    }

    /// Returns whether the codes of a PCX file, if it has such, fill all rows of all planes.
    static func reachEndOfPCX(_ view: ByteView) -> Bool {
        guard let size = DeclaredSize(view, format: .pcx)?.size, view.number(at: 2, bytes: 1) == 1,
            let bits = view.number(at: 3, bytes: 1), let planes = view.number(at: 65, bytes: 1),
            let row = view.number(at: 66, bytes: 2, isLittle: true)
        else { return true }
        // A header may state shorter rows than its pixels need.
        var (offset, missing) = (128, planes * max(row, (size.width * bits + 7) / 8) * size.height)
        while missing > 0, let code = view.number(at: offset, bytes: 1) {
            missing -= code < 0xC0 ? 1 : code & 0x3F
            offset += code < 0xC0 ? 1 : 2
        }
        return missing <= 0 && offset <= view.bytes.count
    }
}
