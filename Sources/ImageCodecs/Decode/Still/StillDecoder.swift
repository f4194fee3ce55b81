import Foundation
import Raster

/// A decoder of the formats that are not trusted; it decodes the first picture of a file.
///
/// libvips decodes them by its loader of the format; QOI and the containers ICO and ICNS are read here.
struct StillDecoder {
    let format: ImageFormat
    let limits: DecodeLimits

    func header(of data: Data) throws(CodecError) -> ImageHeader {
        let size = try content(of: data).size(self)
        try limits.check(size: size, frames: 1)
        return ImageHeader(format: format, size: size, frameCount: 1)
    }

    func decode(_ data: Data, within box: PixelSize?) throws(CodecError) -> Image {
        let content = try content(of: data)
        let size = try content.size(self)
        guard !size.isEmpty else { throw damaged("its picture is empty") }
        try limits.check(size: size, frames: 1)
        let target = box.flatMap { $0.isEmpty ? nil : size.scaled(to: $0) } ?? size
        return Image(
            pixels: try content.pixels(self, size, target), originalSize: size, format: format, frameCount: 1,
            byteCount: data.count)
    }

    fileprivate func damaged(_ reason: String) -> CodecError {
        .processor(.decodingFailed(format: format.rawValue, reason))
    }

    private func content(of data: Data) throws(CodecError) -> Content {
        switch format {
        case .ico: return try content(of: try Self.reading(data, IconFile.largest))
        case .icns: return try content(of: try Self.reading(data, ICNSFile.largest))
        case .qoi: return .qoi(data)
        case .svg where data.starts(with: [0x1F, 0x8B]):
            guard let file = data.withUnsafeBytes({ Inflating.gzip($0, atMost: 32 << 20) }) else {
                throw damaged("the file is cut off, or larger than 32 MiB when unpacked")
            }
            return .library(Data(file), declared: nil)
        default: return try library(data)
        }
    }

    /// Reads the declared size of a file whose loader decodes pixels when it opens the file.
    private func library(_ data: Data) throws(CodecError) -> Content {
        let opensPixels = data.withUnsafeBytes { LibraryLoader(format, $0)?.module == "magick" }
        guard opensPixels else { return .library(data, declared: nil) }
        guard let header = data.withUnsafeBytes({ DeclaredHeader(ByteView(bytes: $0), format: format) }) else {
            throw damaged("its header is damaged")
        }
        try limits.check(size: header.size, frames: 1)
        guard header.leastBytes <= data.count else { throw damaged("the file is cut off") }
        // ImageMagick knows an XBM file by its first definition only.
        let start = format == .xbm ? data.firstRange(of: Data("#define".utf8))?.lowerBound : nil
        return .library(start.map { Data(data[$0...]) } ?? data, declared: header.size)
    }

    private func content(of icon: Icon) throws(CodecError) -> Content {
        switch icon {
        case .pixels(let pixels): return .decoded(pixels)
        case .bitmap(let file, let size): return .library(file, declared: size)
        case .file(let file):
            guard case .format(let inner) = FormatSniffer.judge(file, isWhole: true), inner == .png || inner == .jpeg2000
            else { throw damaged("its largest icon is neither PNG nor JPEG 2000") }
            return .file(file)
        }
    }

    private static func reading<Result>(
        _ data: Data, _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        let outcome: Swift.Result<Result, CodecError> = data.withUnsafeBytes { bytes in
            do throws(CodecError) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

/// The part of a file that is decoded.
private enum Content {
    case decoded(PixelBuffer)
    case qoi(Data)
    /// A PNG or JPEG 2000 file within an icon file.
    case file(Data)
    /// A file for libvips, with the size that it declares if its loader needs that to be checked first.
    case library(Data, declared: PixelSize?)

    private static let inner = CodecDecoder(formats: [.png, .jpeg2000])

    func size(_ decoder: StillDecoder) throws(CodecError) -> PixelSize {
        switch self {
        case .decoded(let pixels): return pixels.size
        case .qoi(let data):
            guard let size = data.withUnsafeBytes({ QOIDecoder($0)?.size }) else {
                throw decoder.damaged("its header is damaged")
            }
            return size
        case .file(let data): return try Self.inner.header(of: data, limits: decoder.limits).size
        case .library(_, let size?): return size
        case .library(let data, nil):
            return try library(data, decoder) { (loader, bytes) throws(VipsFailure) in
                loader.size(of: try loader.open(bytes))
            }
        }
    }

    func pixels(_ decoder: StillDecoder, _ size: PixelSize, _ target: PixelSize) throws(CodecError) -> PixelBuffer {
        switch self {
        case .decoded(let pixels): return try Self.scaled(pixels, to: target)
        case .qoi(let data):
            guard let pixels = data.withUnsafeBytes({ QOIDecoder($0)?.pixels() }) else {
                throw decoder.damaged("the file is cut off")
            }
            return try Self.scaled(pixels, to: target)
        case .file(let data):
            return try Self.inner.decode(data, within: target == size ? nil : target, limits: decoder.limits).pixels
        case .library(let data, _):
            return try library(data, decoder) { (loader, bytes) throws(VipsFailure) in
                try loader.picture(bytes, of: size, scaledTo: target)
            }
        }
    }

    private static func scaled(_ pixels: PixelBuffer, to target: PixelSize) throws(CodecError) -> PixelBuffer {
        pixels.size == target ? pixels : pixels.scaledDown(to: target)
    }

    private func library<Result>(
        _ data: Data, _ decoder: StillDecoder,
        _ body: (LibraryLoader, UnsafeRawBufferPointer) throws(VipsFailure) -> Result
    ) throws(CodecError) -> Result {
        let outcome: Swift.Result<Result, VipsFailure> = data.withUnsafeBytes { bytes in
            guard let loader = LibraryLoader(decoder.format, bytes) else { return .failure(VipsFailure(message: nil)) }
            do throws(VipsFailure) { return .success(try body(loader, bytes)) } catch { return .failure(error) }
        }
        switch outcome {
        case .success(let result): return result
        case .failure(let failure) where failure.isMissing:
            throw .processor(
                .unsupported("\(decoder.format.rawValue) needs a module of libvips (Debian package libvips42)"))
        case .failure(let failure):
            throw decoder.damaged(
                DamageReport.reason(for: failure.message, in: data, of: decoder.format))
        }
    }
}
