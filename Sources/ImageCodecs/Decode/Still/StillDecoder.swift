import FoundationEssentials
import Raster

/// A decoder of the formats that are not trusted; it decodes the first picture of a file.
///
/// libvips decodes them by its loader of the format; QOI, the Netpbm formats, TGA with grey and alpha, and the containers
/// ICO and ICNS are read here, AVIF, animations and videos by `LibraryFrameReader`.
struct StillDecoder {
    let format: ImageFormat
    fileprivate(set) var limits: DecodeLimits
    /// Whether pixels may be missing or wrong.
    fileprivate var isTolerant = false
    /// Whether a raw file shows a preview of any size.
    private var takesPreview = false

    init(format: ImageFormat, limits: DecodeLimits) {
        self.format = format
        self.limits = limits
    }

    /// Reads the header; missing pixels are found only when the pixels are decoded.
    func header(of data: Data) throws(CodecError) -> ImageHeader {
        var decoder = self
        decoder.isTolerant = true
        let content = try decoder.content(of: data)
        let page = try content.page(self)
        try limits.check(size: page.size, frames: 1)
        return ImageHeader(
            format: format, size: page.size, frameCount: content.frameCount, pageCount: page.count)
    }

    /// Decodes a picture; of a damaged one, what can be decoded, if the limits allow that.
    func decode(_ data: Data, within box: PixelSize?) throws(CodecError) -> Image {
        do throws(CodecError) { return try decodeOnce(data, try content(of: data), within: box) } catch {
            // OpenJPEG 2.5 refuses parts of tiles that are not in the order of their numbers; FFmpeg does not.
            if case .processor(.decodingFailed(_, let reason)) = error, reason.hasPrefix("Invalid tile part index") {
                let reader = try LibraryFrameReader(data, format: format, limits: limits)
                return try decodeOnce(data, .frames(reader), within: box)
            }
            var decoder = self
            (decoder.isTolerant, decoder.takesPreview) = (true, true)
            guard limits.allowsDamage, format != .video, case .processor(.decodingFailed(_, let reason)) = error,
                var image = try? decoder.decodeOnce(data, try decoder.content(of: data), within: box)
            else { throw error }
            image.damage = PictureDamage(reason: reason)
            return image
        }
    }

    private func decodeOnce(_ data: Data, _ content: Content, within box: PixelSize?) throws(CodecError) -> Image {
        let page = try content.page(self)
        let size = page.size
        guard limits.page <= page.count else { throw missingPage(of: page.count) }
        guard !size.isEmpty else { throw .damaged(format, "its picture is empty") }
        try limits.check(size: size, frames: 1)
        let target = size.fitted(into: box)
        let (pixels, color) = try content.pixels(self, page, target)
        var image = Image(
            pixels: pixels, originalSize: size, format: format, frameCount: content.frameCount, byteCount: data.count)
        image.color = color
        image.pageCount = page.count
        if let origin = content.rawOrigin(format) {
            image.color = image.color ?? ColorFacts(.rgb, bits: 8)
            image.color?.profile = origin
        } else if format == .tiff, let bits = data.withUnsafeBytes({ ExifDirectory(exif: $0)?.number(258) }) {
            // libvips gives samples of less than eight bits as eight.
            image.color?.bits = bits
        }
        if case .frames(let reader) = content, reader.frameCount > 1 {
            image.animation = Animation(
                file: data, delays: reader.delays, loopCount: reader.loopCount, canvasSize: size)
        }
        image.damage = damage(of: data, content)
        try limits.check(image.damage, of: format)
        return image
    }

    /// The limits for a file within this one, which has one page.
    var pageLimits: DecodeLimits {
        var limits = limits
        limits.page = 1
        return limits
    }

    /// The error for a page that a file does not have.
    func missingPage(of count: Int) -> CodecError { Self.missingPage(limits.page, of: count, format) }

    static func missingPage(_ page: Int, of count: Int, _ format: ImageFormat) -> CodecError {
        let pages = count == 1 ? "one page" : "\(count) pages"
        return .processor(.processingFailed(identifier: "page(\(page))", "the \(format.rawValue) has \(pages)"))
    }

    /// Returns the damage of a file whose first picture was decoded.
    private func damage(of data: Data, _ content: Content) -> PictureDamage? {
        if case .frames(let reader) = content {
            if reader.isCut { return .incomplete("the file ends before its last frame") }
            if format == .jpegXL, reader.frameCount > 1, let damage = reader.damageOfLastFrame { return damage }
        } else if format == .avif, FormatSignatures.isSequence(data), format.canReadFrames,
            // libavif 0.11 reads no sequence beside a sound track; its still picture is whole.
            data.prefix(1 << 16).firstRange(of: Data("soun".utf8)) == nil
        {
            return .incomplete("its frames cannot be read")
        }
        let isThere = data.withUnsafeBytes { CompletenessCheck.isThere(in: $0, of: format) }
        return isThere ? nil : .incomplete("the file is cut off")
    }

    private func content(of data: Data) throws(CodecError) -> Content {
        InProcessDecoding.check()
        switch format {
        case .ico:
            return try data.withBytes { bytes throws(CodecError) in
                try IconFile.icon(limits.page, in: bytes, isTolerant: isTolerant)
            }
        case .icns: return try data.withBytes { bytes throws(CodecError) in try ICNSFile.icon(limits.page, in: bytes) }
        case .qoi: return .own(data, QOIDecoder.self)
        case .pnm: return .own(data, NetpbmDecoder.self)
        case .tga where data.withUnsafeBytes({ GreyTGADecoder($0) != nil }): return .own(data, GreyTGADecoder.self)
        case .heic where FormatSignatures.isSequence(data), .video, .jpeg:
            return .frames(try LibraryFrameReader(data, format: format, limits: limits))
        case .jpeg2000 where data.withUnsafeBytes({ Self.isMisreadByVips(ByteView(bytes: $0)) }):
            return .frames(try LibraryFrameReader(Self.withPlainPalette(data), format: format, limits: limits))
        case .tiff: return try tiff(data)
        case .avif, .jpegXL, .heic:
            let file = MediaBoxes.withKnownSizes(data, isMovable: format == .jpegXL)
            if format != .heic, let reader = try frames(of: file) { return .frames(reader) }
            return try library(file)
        case .svg where data.starts(with: [0x1F, 0x8B]):
            guard let file = data.withUnsafeBytes({ Inflating.gzip($0, atMost: 32 << 20) }) else {
                throw .damaged(format, "the file is cut off, or larger than 32 MiB when unpacked")
            }
            return .library(Data(file), declared: nil)
        default: return try library(data)
        }
    }

    private func tiff(_ data: Data) throws(CodecError) -> Content {
        guard let camera = data.withUnsafeBytes({ CameraRawFile($0) }) else {
            guard TIFFKind(data).isForLibtiff else { return try library(data) }
            return .frames(try LibraryFrameReader(data, format: format, limits: limits))
        }
        if camera.area < (takesPreview ? 1 : CameraRawFile.ampleArea) {
            do throws(CodecError) {
                return .frames(try LibraryFrameReader(data, format: format, isRaw: true, limits: limits))
            } catch {
                if camera.area == 0 { throw error }
            }
        }
        switch camera.preview {
        case nil: return try library(data)
        case .directory(let index): return .library(data, declared: nil, FilePart(directory: index, pages: 1))
        case .jpeg(let start):
            let file = Data(data.dropFirst(start))
            let isUpright = file.withUnsafeBytes { JPEGSegments($0).orientation } == .upright
            return .file(file, isUpright ? camera.orientation : .upright)
        }
    }

    /// Returns the frames of an AVIF or an animation; nil for another picture, and where the library is missing.
    private func frames(of data: Data) throws(CodecError) -> LibraryFrameReader? {
        guard format.canReadFrames else { return nil }
        // If the library cannot open the file, libvips reads it, or reports what is wrong with it.
        do throws(CodecError) {
            let reader = try LibraryFrameReader(data, format: format, limits: limits)
            // libvips reads no more than four channels.
            return format == .avif || reader.frameCount > 1 || reader.hasExtraChannels ? reader : nil
        } catch {
            if case .processor(.limitExceeded) = error { throw error }
            return nil
        }
    }

    /// Reads the declared size of a file whose loader decodes pixels when it opens the file.
    private func library(_ data: Data) throws(CodecError) -> Content {
        let opensPixels = VipsFormatLoader(format)?.module == "magick"
        guard opensPixels else { return .library(data, declared: nil) }
        guard let header = data.withUnsafeBytes({ DeclaredSize(ByteView(bytes: $0), format: format) }) else {
            throw .damaged(format, "its header is damaged")
        }
        try limits.check(size: header.size, frames: 1)
        var file = data
        if header.leastBytes > data.count {
            // Missing bytes become black, up to 64 MiB.
            guard isTolerant, format != .xpm, format != .xbm, header.leastBytes <= 64 << 20 else {
                throw .damaged(format, "the file is cut off")
            }
            file += Data(count: header.leastBytes - data.count)
        }
        guard isReadByMagick(file) else {
            if format == .dds, let name = data.withUnsafeBytes({ Self.unreadDDS(ByteView(bytes: $0)) }) {
                throw .processor(.decoderUnavailable("DDS of the format \(name) is not read"))
            }
            return .frames(try LibraryFrameReader(file, format: format, limits: limits))
        }
        return .library(acceptedByMagick(file), declared: header.size)
    }

    /// Returns a JPEG 2000 file whose palette has its colours in the order red, green and blue, without the box that says
    /// another order, which FFmpeg 5.1 takes for one of the components.
    ///
    /// Source: ISO/IEC 15444-1, sections I.5.3.4 (`pclr`) and I.5.3.6 (`cdef`).
    private static func withPlainPalette(_ data: Data) -> Data {
        var file = Array(data.prefix(1 << 16))
        guard let palette = file.firstRange(of: Array("pclr".utf8))?.upperBound,
            let order = file.firstRange(of: Array("cdef".utf8)), file.count > max(palette + 6, order.upperBound + 2)
        else { return data }
        // Each channel has a number, a kind, of which 0 is a colour, and the number of its colour from 1.
        let channels = file[(order.upperBound + 2)...].prefix(18)
        let columns = (1...3).compactMap { color in
            (0..<3).first { channels.dropFirst($0 * 6).prefix(6).elementsEqual([0, UInt8($0), 0, 0, 0, UInt8(color)]) }
        }
        file.replaceSubrange(order, with: Array("free".utf8))
        let entries = palette + 6..<palette + 6 + (Int(file[palette]) << 8 | Int(file[palette + 1])) * 3
        if columns.count == 3, file[palette + 2..<palette + 6].elementsEqual([3, 7, 7, 7]),
            entries.upperBound <= file.count
        {
            for start in stride(from: entries.lowerBound, to: entries.upperBound, by: 3) {
                file.replaceSubrange(start..<start + 3, with: columns.map { data[data.startIndex + start + $0] })
            }
        }
        return Data(file) + data.dropFirst(file.count)
    }

    /// The formats whose pages libvips counts.
    fileprivate static let paged: Set<ImageFormat> = [.tiff, .pdf, .heic, .avif]

    /// Returns whether a JPEG 2000 file has an image offset, subsampled components or a palette, where libvips 8.14
    /// reads wrong memory.
    ///
    /// Source: ISO/IEC 15444-1, sections A.5.1 (SIZ) and I.5.3.4 (`pclr`).
    private static func isMisreadByVips(_ view: ByteView) -> Bool {
        let head = ByteView(bytes: UnsafeRawBufferPointer(rebasing: view.bytes.prefix(1 << 16)))
        guard let place = head.bytes.firstRange(of: [0xFF, 0x4F, 0xFF, 0x51])?.lowerBound,
            let count = head.number(at: place + 40, bytes: 2)
        else { return false }
        let offsets = [16, 20].map { head.number(at: place + $0, bytes: 4) ?? 0 }
        let steps = (0..<count).map { head.number(at: place + 43 + 3 * $0, bytes: 2) ?? 0x0101 }
        let hasPalette = head.bytes[..<place].firstRange(of: Array("pclr".utf8)) != nil
        return hasPalette || offsets != [0, 0] || steps.contains { $0 != 0x0101 }
    }
}

/// A decoder of a simple format, which needs no library; the bytes must outlive it.
protocol BitmapDecoder {
    var size: PixelSize { get }

    /// Reads the header; nil if it is damaged.
    init?(_ bytes: UnsafeRawBufferPointer)

    /// Decodes the pixels; missing ones have the colour of the background.
    ///
    /// - Parameter isWhole: Whether nil is returned if the file lacks pixels.
    func pixels(isWhole: Bool) -> PixelBuffer?
}

/// A page of a file.
struct Page {
    var size: PixelSize
    /// The number of pages.
    var count = 1
    /// The size divided by the one that the file states, for a drawing that states a size beyond the limits.
    var reduction = 1.0
}

/// The part of a file that libvips decodes.
struct FilePart {
    /// The directory of a TIFF file below the first one; nil for a page.
    var directory: Int?
    /// The number of pages, of which the bytes are one; nil if libvips is to choose the page.
    var pages: Int?
}

/// The part of a file that is decoded.
enum Content {
    case decoded(PixelBuffer, pages: Int)
    /// A file that is decoded here.
    case own(Data, any BitmapDecoder.Type)
    /// A PNG, JPEG or JPEG 2000 file within an icon file or a camera's raw file, to be turned upright.
    case file(Data, Orientation = .upright, pages: Int = 1)
    /// A file for libvips, with the size that it declares if its loader needs that to be checked first.
    case library(Data, declared: PixelSize?, FilePart = FilePart())
    /// An animation or a video, of which the first frame is decoded.
    case frames(LibraryFrameReader)

    /// The size in which a drawing is made that states a size beyond the limits.
    private static let largestDrawing = PixelSize(width: 4096, height: 4096)
    private static let inner = CodecDecoder(formats: [.png, .jpeg, .jpeg2000])

    var frameCount: Int {
        if case .frames(let reader) = self { reader.frameCount } else { 1 }
    }

    /// Where the pixels of a camera's raw file come from; nil for other files.
    func rawOrigin(_ format: ImageFormat) -> String? {
        switch self {
        case .frames(let reader) where reader.isRaw: return "raw file developed by LibRaw"
        case .file where format == .tiff: break
        case .library(_, _, let part) where part.directory != nil: break
        default: return nil
        }
        return "preview in a camera's raw file"
    }

    func page(_ decoder: StillDecoder) throws(CodecError) -> Page {
        switch self {
        case .decoded(let pixels, let pages): return Page(size: pixels.size, count: pages)
        case .own(let data, let kind):
            let size = data.withUnsafeBytes { kind.init($0)?.size }
            guard let size else { throw .damaged(decoder.format, "its header is damaged") }
            return Page(size: size)
        case .file(let data, let orientation, let pages):
            let size = try Self.inner.header(of: data, limits: decoder.pageLimits).size
            return Page(size: orientation.upright(size), count: pages)
        case .library(_, let size?, let part): return Page(size: size, count: part.pages ?? 1)
        case .frames(let reader): return Page(size: reader.size, count: reader.pageCount)
        case .library(let data, nil, let part):
            return try library(data, decoder, part) { (loader, bytes) throws(VipsFailure) in
                let image = try loader.open(bytes)
                // Other pages are resolutions of JPEG 2000 and tiles of AVIF.
                let isGrid = decoder.format == .avif && bytes.prefix(1 << 16).firstRange(of: Array("dimg".utf8)) != nil
                let count = StillDecoder.paged.contains(decoder.format) && !isGrid ? image.frames : 1
                var page = Page(size: loader.size(of: image), count: part.pages ?? count)
                if loader.isScalable, page.size.area > decoder.limits.pixels {
                    // A picture without pixels of its own can be drawn in any size.
                    let size = page.size.fitted(into: Self.largestDrawing)
                    page.reduction = Double(size.width) / Double(page.size.width)
                    page.size = size
                }
                return page
            }
        }
    }

    func pixels(
        _ decoder: StillDecoder, _ page: Page, _ target: PixelSize
    ) throws(CodecError) -> (PixelBuffer, ColorFacts?) {
        switch self {
        case .decoded(let pixels, _): return (pixels.resampled(to: target), nil)
        case .frames(let reader):
            return (decoder.corrected(try reader.frame(at: 0).resampled(to: target), reader.data), reader.color)
        case .own(let data, let kind):
            let pixels = data.withUnsafeBytes { kind.init($0)?.pixels(isWhole: !decoder.isTolerant) }
            guard let pixels else { throw .damaged(decoder.format, "the file is cut off") }
            return (pixels.resampled(to: target), nil)
        case .file(let data, let orientation, _):
            let box = target == page.size ? nil : orientation.upright(target)
            let image = try Self.inner.decode(data, within: box, limits: decoder.pageLimits)
            return (orientation.upright(image.pixels), image.color)
        case .library(let data, _, let part):
            let (pixels, color) = try library(data, decoder, part) { (loader, bytes) throws(VipsFailure) in
                try loader.picture(bytes, of: page, scaledTo: target)
            }
            return (decoder.corrected(pixels, data), color)
        }
    }

    private func library<Result>(
        _ data: Data, _ decoder: StillDecoder, _ part: FilePart,
        _ body: (VipsFormatLoader, UnsafeRawBufferPointer) throws(VipsFailure) -> Result
    ) throws(CodecError) -> Result {
        let tiff = decoder.format == .tiff ? TIFFKind(data) : nil
        // ImageMagick decodes all pixels when it opens the file.
        if let tiff, tiff.isForMagick { try decoder.limits.check(size: tiff.size, frames: 1) }
        guard
            var loader = VipsFormatLoader(
                decoder.format, isTolerant: decoder.isTolerant, usesMagick: tiff?.isForMagick == true)
        else {
            throw .damaged(decoder.format, "it has no decoder")
        }
        var data = data
        if let place = tiff?.halves {
            data = Data(data)
            for index in place.clamped(to: data.indices) where data[index] == 3 { data[index] = 1 }
            loader.hasHalves = true
        }
        if let directory = part.directory {
            loader.options += ",subifd=\(directory)"
        } else if decoder.limits.page > 1, part.pages == nil {
            guard StillDecoder.paged.contains(decoder.format) else { throw decoder.missingPage(of: 1) }
            loader.options += ",page=\(decoder.limits.page - 1)"
        }
        do throws(VipsFailure) {
            return try data.withBytes { (bytes) throws(VipsFailure) in try body(loader, bytes) }
        } catch {
            var first = decoder
            first.limits.page = 1
            if decoder.limits.page > 1, let count = try? page(first).count, count < decoder.limits.page {
                throw decoder.missingPage(of: count)
            }
            throw error.error(for: data, decoder.format)
        }
    }
}
