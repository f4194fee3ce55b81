import AlcedoCJPEG
import FoundationEssentials
import Raster

/// A JPEG file decoded by libjpeg-turbo, which scales by 1/2, 1/4 and 1/8 within the inverse transform.
final class JPEGCodec: Codec {
    let format = ImageFormat.jpeg
    let storedSize: PixelSize
    let orientation: Orientation
    private let file: OpaquePointer

    /// Opens a JPEG file; nil for CMYK and for a colour profile other than sRGB.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let segments = JPEGSegments(bytes)
        guard segments.isSRGB, let file = alcedo_jpeg_open(bytes.baseAddress, bytes.count) else { return nil }
        self.file = file
        orientation = segments.orientation
        storedSize = PixelSize(width: Int(alcedo_jpeg_width(file)), height: Int(alcedo_jpeg_height(file)))
    }

    deinit { alcedo_jpeg_close(file) }

    func pixels(scaledTo target: PixelSize) -> DecodedPixels? { pixels(scaledTo: target) { _ in } }

    /// Decodes the pixels for the first steps of a chain, upright.
    ///
    /// - Parameter lightness: Gets the lightness of the whole picture for its hash; nil if no hash is wanted.
    func picture(_ plan: (target: PixelSize, part: PixelRect), lightness: inout LightnessReader?) -> DecodedPixels? {
        // The part of a turned picture is cut out by the step itself.
        let part = orientation == .upright ? plan.part : nil
        let decoded = pixels(scaledTo: orientation.upright(plan.target), part: part) { size in
            if lightness != nil { lightness = LightnessReader(size) }
        } onRows: {
            lightness?.add($0)
        }
        return decoded.map { DecodedPixels(pixels: orientation.upright($0.pixels), damage: $0.damage) }
    }

    private func pixels(
        scaledTo target: PixelSize, part: PixelRect? = nil, onStart: (PixelSize) -> Void,
        onRows: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) -> DecodedPixels? {
        let shrink = shrink(to: target)
        guard !target.isEmpty, alcedo_jpeg_start(file, Int32(shrink), 0) == 0 else { return nil }
        let size = PixelSize(
            width: Int(alcedo_jpeg_scaled_width(file)), height: Int(alcedo_jpeg_scaled_height(file)))
        onStart(size)
        var reader = RowReader(size: size, isOpaque: true)
        // libjpeg rounds sizes up, and repeats the pixels of an edge.
        reader.extent = (Double(storedSize.width) / Double(shrink), Double(storedSize.height) / Double(shrink))
        reader.part = part
        let pixels = reader.picture(scaledTo: target) { rows, count in
            guard alcedo_jpeg_read(file, rows.baseAddress, Int32(count)) == Int32(count) else { return false }
            onRows(UnsafeRawBufferPointer(rows))
            return true
        }
        return pixels.map { DecodedPixels(pixels: $0, damage: finish()) }
    }

    /// Decodes all pixels for a check, with as little work as libjpeg allows: in grey, at the smallest scale that
    /// leaves each side 64 pixels.
    ///
    /// - Returns: The picture stretched to the square of `PerceptualHash`, upright, and the damage of the file; nil for
    ///   a file with a side below 64 pixels, or that libjpeg refuses.
    func checkedSquare() -> DecodedPixels? {
        let least = PixelSize(width: LightnessReader.leastSide, height: LightnessReader.leastSide)
        guard hasHashedSquare, alcedo_jpeg_start(file, Int32(shrink(to: least)), 1) == 0 else { return nil }
        let (width, height) = (Int(alcedo_jpeg_scaled_width(file)), Int(alcedo_jpeg_scaled_height(file)))
        var isRead = false
        let rows = [UInt8](unsafeUninitializedCapacity: width * height) { memory, count in
            isRead = alcedo_jpeg_read(file, memory.baseAddress, Int32(height)) == Int32(height)
            count = isRead ? width * height : 0
        }
        guard isRead else { return nil }
        let square = PerceptualHash.square(ofLightness: rows, width: width)
        return DecodedPixels(pixels: orientation.upright(square), damage: finish())
    }

    /// Whether the picture is large enough for a hash by its lightness.
    var hasHashedSquare: Bool { min(storedSize.width, storedSize.height) >= LightnessReader.leastSide }

    /// Encodes opaque pixels; nil if libjpeg refuses their size.
    static func file(of pixels: PixelBuffer, quality: Int) -> Data? {
        var count = 0
        let bytes = pixels.bytes.withUnsafeBytes {
            alcedo_jpeg_encode(
                $0.baseAddress, Int32(clamping: pixels.size.width), Int32(clamping: pixels.size.height), Int32(quality),
                &count)
        }
        return bytes.map { Data(bytesNoCopy: $0, count: count, deallocator: .free) }
    }

    private func finish() -> PictureDamage? {
        var text = [CChar](repeating: 0, count: 256)
        let damage = alcedo_jpeg_finish(file, &text, text.count)
        let reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return switch damage {
        case alcedo_jpeg_missing_end: .missingEnd
        case alcedo_jpeg_incomplete: .incomplete(reason)
        case alcedo_jpeg_corrupt: .corrupt(reason)
        default: nil
        }
    }

    /// Returns the largest divisor that makes no side shorter than requested; libjpeg rounds sizes up.
    private func shrink(to target: PixelSize) -> Int {
        [8, 4, 2].first { shrink in
            let (width, height) = (storedSize.width + shrink - 1, storedSize.height + shrink - 1)
            return width / shrink >= target.width && height / shrink >= target.height
        } ?? 1
    }
}

/// The frame header, the colour profile and the EXIF data in the segments before a JPEG's pixels.
///
/// Source: ITU-T T.81, sections B.1.1.4 and B.2.2; ICC.1:2022, section B.4; Exif 2.32, section 4.7.2.
struct JPEGSegments {
    /// Returns a JPEG file from its start on, which may come after a line break or be marked several times, with the
    /// right length of its EXIF data, which some programs change; other files as they are.
    static func mended(_ file: Data) -> Data {
        var start = file.prefix(16).prefix { $0 == 0x20 || (9...13).contains($0) }.count
        guard file.dropFirst(start).starts(with: [0xFF, 0xD8, 0xFF]) else { return file }
        while file.dropFirst(start + 2).starts(with: [0xFF, 0xD8]) { start += 2 }
        var file = start > 0 ? Data(file.dropFirst(start)) : file
        if let (place, mended) = file.withUnsafeBytes({ wrongLength(in: ByteView(bytes: $0)) }) {
            file.replaceSubrange(file.startIndex + place..<file.startIndex + place + mended.count, with: mended)
        }
        return file
    }

    /// Returns the place of the length of EXIF data if no marker follows, and the right one, up to the profile or tables
    /// of the largest picture; data that is longer than it says loses its name, as others ignore it.
    private static func wrongLength(in view: ByteView) -> (place: Int, mended: [UInt8])? {
        var offset = 2
        while let marker = view.number(at: offset, bytes: 2), 0xFFE0...0xFFEF ~= marker || marker == 0xFFFE,
            let length = view.number(at: offset + 2, bytes: 2), offset + 4 + length <= view.bytes.count
        {
            let next = view.number(at: offset + 2 + length, bytes: 2) ?? 0
            if marker == 0xFFE1, view.has("Exif\0\0", at: offset + 4), length < 2 || next < 0xFFC0 {
                var best = (place: 0, area: 0)
                for place in view.bytes.indices.dropLast().dropFirst(offset + 4).prefix(0xFF00) {
                    let isTable = view.number(at: place, bytes: 2) == 0xFFDB
                    guard isTable || view.has("ICC_PROFILE\0", at: place + 4) else { continue }
                    let rest = JPEGSegments(UnsafeRawBufferPointer(rebasing: view.bytes[(place - 2)...]))
                    if let area = rest.frame?.size.area, area > best.area { best = (place, area) }
                }
                let right = max(0, best.place - offset - 2)
                let mended = [UInt8(right >> 8), UInt8(right & 255), right > length ? 0 : UInt8(ascii: "E")]
                return best.area > 0 ? (offset + 2, mended) : nil
            }
            offset += 2 + length
        }
        return nil
    }

    /// The fields of the frame header.
    struct Frame {
        let marker: Int
        let size: PixelSize
        let bits: Int
        let components: Int
    }

    /// The frame header; nil if there is none before the pixels.
    private(set) var frame: Frame?
    private(set) var isSRGB = true
    /// The name of the colour profile; nil if there is none.
    private(set) var profileName: String?
    private(set) var exif: UnsafeRawBufferPointer?
    /// The content of the first comment.
    private(set) var comment: UnsafeRawBufferPointer?
    private var xmp: UnsafeRawBufferPointer?
    private var hasISOGainMap = false
    /// Whether a second picture would make it brighter on a screen with a high dynamic range (Ultra HDR 1.1, ISO 21496-1).
    var hasGainMap: Bool { hasISOGainMap || xmp?.firstRange(of: Array("hdrgm:Version".utf8)) != nil }
    /// The offset of the first scan's header; nil if the file ends before it.
    private(set) var startOfScan: Int?
    var orientation: Orientation { exif.map(Orientation.init(exif:)) ?? .upright }

    /// The name of a kind of JPEG that libjpeg-turbo 2 does not read; nil for other files.
    var unsupportedKind: String? {
        guard let frame else { return nil }
        if [0xFFC3, 0xFFC7, 0xFFCB, 0xFFCF].contains(frame.marker) { return "lossless JPEG" }
        return frame.bits == 12 ? "JPEG with 12 bits per sample" : nil
    }

    init(_ bytes: UnsafeRawBufferPointer) {
        let view = ByteView(bytes: bytes)
        var offset = 2
        while let marker = view.number(at: offset, bytes: 2) {
            switch marker {
            case 0xFFDA:
                startOfScan = offset
                return
            // Bytes between segments are skipped, as decoders do; 0xFF may be repeated as fill before a marker.
            case ..<0xFF00: offset = bytes[(offset + 1)...].firstIndex(of: 0xFF) ?? bytes.count
            case 0xFFFF: offset += 1
            case 0xFF00, 0xFF01, 0xFFD0...0xFFD8: offset += 2
            default:
                readFrame(view, marker, at: offset)
                guard let length = view.number(at: offset + 2, bytes: 2), length >= 2,
                    let content = view.part(at: offset + 4, count: length - 2)
                else { return }
                read(ByteView(bytes: content), marker)
                offset += 2 + length
            }
        }
    }

    private mutating func readFrame(_ view: ByteView, _ marker: Int, at offset: Int) {
        // 0xFFC4, 0xFFC8 and 0xFFCC are tables and a reserved code.
        guard frame == nil, (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) else {
            return
        }
        let fields = [(4, 1), (5, 2), (7, 2), (9, 1)].compactMap { view.number(at: offset + $0.0, bytes: $0.1) }
        guard fields.count == 4, fields[1] > 0, fields[2] > 0 else { return }
        let size = PixelSize(width: fields[2], height: fields[1])
        frame = Frame(marker: marker, size: size, bits: fields[0], components: fields[3])
    }

    private mutating func read(_ content: ByteView, _ marker: Int) {
        if marker == 0xFFE1, content.has("Exif\0\0", at: 0) { exif = content.bytes }
        if marker == 0xFFE1, content.has("http://ns.adobe.com/xap/1.0/\0", at: 0) { xmp = content.bytes }
        if marker == 0xFFE2, content.has("urn:iso:std:iso:ts:21496:-1\0", at: 0) { hasISOGainMap = true }
        if marker == 0xFFFE { comment = comment ?? content.bytes }
        if marker == 0xFFE2, content.has("ICC_PROFILE\0", at: 0) {
            // An sRGB profile fits into a single segment, which is number 1 of 1.
            let isWhole = content.number(at: 12, bytes: 2) == 0x0101
            let profile = content.part(at: 14, count: content.bytes.count - 14)
            isSRGB = isWhole && profile.map { ICCProfile($0).isSRGB } == true
            // The description is at the beginning of longer profiles.
            if content.number(at: 12, bytes: 1) == 1 { profileName = profile.flatMap { ICCProfile($0).name } }
        }
    }
}
