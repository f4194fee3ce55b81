import AlcedoCCodings
import FoundationEssentials

/// The boxes of a file of the ISO base media format, or those within a box; at most 1,000 are read.
///
/// Sources: ISO/IEC 14496-12, sections 4.2, 8.11.3 (iloc) and 8.11.6 (iinf); ISO/IEC 23008-12, annex A.2.1 (Exif);
/// ISO/IEC 18181-2, annex C.
struct MediaBoxes {
    let view: ByteView
    /// The offset of the first box.
    var start = 0

    /// Returns the content of the first box with a name; nil if there is none.
    subscript(name: String) -> ByteView? { box(name, startingWith: "") }

    private func box(_ name: String, startingWith mark: String) -> ByteView? {
        var offset = start
        for _ in 0..<1_000 {
            guard var length = view.number(at: offset, bytes: 4) else { return nil }
            let head = length == 1 ? 16 : 8
            // The highest byte of a long length is taken as zero: no file is that large.
            if length == 1 { length = view.number(at: offset + 9, bytes: 7) ?? 0 }
            if length == 0 { length = view.bytes.count - offset }
            guard length >= head else { return nil }
            if view.has(name, at: offset + 4), view.has(mark, at: offset + head) {
                return view.part(at: offset + head, count: length - head).map(ByteView.init)
            }
            offset += length
        }
        return nil
    }

    /// Returns an AVIF or HEIC file whose last box states its real size, not 0, or a JPEG XL file without sizes of 64
    /// bits: Debian's libraries read neither.
    ///
    /// Boxes of JPEG XL can move because no box states an offset in the file.
    static func withKnownSizes(_ data: Data, isMovable: Bool) -> Data {
        var (file, offset) = (data, 0)
        for _ in 0..<100 where file.count < 1 << 32 {
            let (short, long) = file.withUnsafeBytes {
                (ByteView(bytes: $0).number(at: offset, bytes: 4), ByteView(bytes: $0).number(at: offset + 9, bytes: 7))
            }
            let place = file.startIndex + offset
            guard var length = short else { break }
            if length == 0, !isMovable { length = file.count - offset }
            if length == 1, isMovable, let long, long >= 16, long <= file.count - offset {
                file.removeSubrange(place + 8..<place + 16)
                length = long - 8
            }
            guard length >= 8, length <= file.count - offset else { break }
            if length != short {
                file.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(length).bigEndian, Array.init))
            }
            offset += length
        }
        return file
    }

    /// The EXIF data of the item of that type.
    var exifItem: UnsafeRawBufferPointer? {
        guard let meta = self["meta"].map({ MediaBoxes(view: $0, start: 4) }), let names = meta["iinf"],
            let places = meta["iloc"], let item = Self.exifItem(among: names)
        else { return nil }
        return Self.exif(Self.place(of: item, in: places, of: view, meta["idat"]))
    }

    /// Returns the EXIF data behind the offset at which it begins.
    static func exif(_ content: ByteView?) -> UnsafeRawBufferPointer? {
        guard let content, let offset = content.number(at: 0, bytes: 4) else { return nil }
        return content.part(at: 4 + offset, count: content.bytes.count - 4 - offset)
    }

    /// The content of JPEG XL's `Exif` box that is packed with Brotli in a box `brob`, up to 1 MiB.
    var packedExif: Data? {
        guard let packed = box("brob", startingWith: "Exif")?.bytes.dropFirst(4) else { return nil }
        var unpacked: UnsafeMutablePointer<UInt8>?
        let stream = UnsafeRawBufferPointer(rebasing: packed)
        let count = alcedo_decode(alcedo_coding_brotli, stream.baseAddress, stream.count, 1 << 20, &unpacked)
        return unpacked.map { Data(bytesNoCopy: $0, count: Int(count), deallocator: .free) }
    }

    private static func exifItem(among names: ByteView) -> Int? {
        var offset = names.number(at: 0, bytes: 1) == 0 ? 6 : 8
        for _ in 0..<1_000 {
            guard let length = names.number(at: offset, bytes: 4), length >= 8 else { return nil }
            let bytes = names.number(at: offset + 8, bytes: 1) == 2 ? 2 : 4
            if names.has("Exif", at: offset + 14 + bytes) { return names.number(at: offset + 12, bytes: bytes) }
            offset += length
        }
        return nil
    }

    /// Returns the bytes of an item that lies in one piece in the file or in the box `idat`.
    private static func place(of item: Int, in table: ByteView, of file: ByteView, _ data: ByteView?) -> ByteView? {
        guard let version = table.number(at: 0, bytes: 1), version <= 2, let sizes = table.number(at: 4, bytes: 2)
        else { return nil }
        let (wide, offsetSize, lengthSize) = (version == 2 ? 4 : 2, sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        var entry = 6 + wide
        for _ in 0..<min(table.number(at: 6, bytes: wide) ?? 0, 10_000) {
            let base = entry + wide + (version == 0 ? 2 : 4)
            let extent = base + baseSize + 2 + indexSize
            guard let count = table.number(at: base + baseSize, bytes: 2) else { return nil }
            if table.number(at: entry, bytes: wide) == item {
                let method = version == 0 ? 0 : table.number(at: entry + wide + 1, bytes: 1).map { $0 & 15 }
                guard count == 1, let start = table.number(at: base, bytes: baseSize),
                    let offset = table.number(at: extent, bytes: offsetSize),
                    let length = table.number(at: extent + offsetSize, bytes: lengthSize)
                else { return nil }
                return (method == 0 ? file : method == 1 ? data : nil)?.part(at: start &+ offset, count: length)
                    .map(ByteView.init)
            }
            entry = base + baseSize + 2 + count * (indexSize + offsetSize + lengthSize)
        }
        return nil
    }
}
