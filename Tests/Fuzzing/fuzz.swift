import Foundation
import Glibc

// Fuzz targets for the parsers that read bytes of strangers, one for each value of FUZZ_TARGET. `run` builds them.
@testable import AlcedoHTTPRequests
@testable import AlcedoImageCodecs
@testable import AlcedoLists
@testable import AlcedoSandbox
@testable import AlcedoSupport
@testable import Pieces
@testable import Raster
@testable import Retrying

private let target = String(cString: getenv("FUZZ_TARGET") ?? strdup("headers"))
private let limits: DecodeLimits = {
    var limits = DecodeLimits(pixels: 1 << 16, frames: 64)
    limits.allowsDamage = true
    return limits
}()

@c(LLVMFuzzerTestOneInput)
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let data = Data(UnsafeRawBufferPointer(start: bytes, count: count))
    switch target {
    case "headers": readHeaders(data)
    case "png": decode(data, after: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case "gif": decode(data, after: Array("GIF89a".utf8))
    case "jpeg": scan(data)
    case "pnm": decode(data, after: Array("P".utf8))
    case "qoi": decode(data, after: Array("qoif".utf8))
    case "icns": decode(data, after: Array("icns".utf8))
    case "exif":
        _ = CaptureFacts(file: Data([0xFF, 0xD8, 0xFF, 0xE1, 0x40, 0]) + Array("Exif\0\0".utf8) + data)
        for brand in ["avif", "heic"] {
            _ = CaptureFacts(file: Data([0, 0, 0, 16]) + Data("ftyp\(brand)\0\0\0\0".utf8) + data)
        }
        _ = CaptureFacts(file: Data([0, 0, 0, 12]) + Data("JXL \r\n".utf8) + Data([0x87, 10]) + data)
        (Data("II*\0".utf8) + data).withUnsafeBytes { _ = (CameraRawFile($0), TIFFSamples($0)) }
    case "archive":
        _ = try? ArchiveReply.members(Array(data))
        _ = try? ArchiveReply.unpacked(data)
    case "webp": decode(data, after: Array("RIFF\0\0\0\0WEBP".utf8))
    case "bitmaps": readBitmaps(data)
    case "lists":
        parse(data)
        precondition(String(pathBytes: data).pathBytes == Array(data), "a path is not its text")
    case "http": readFields(String(decoding: data, as: UTF8.self))
    case "terminal": readInput(data)
    case "config":
        _ = TOMLParser.parse(String(decoding: data, as: UTF8.self), limit: 200)
        _ = try? NetrcFile(String(decoding: data, as: UTF8.self))
    default: preconditionFailure("there is no target \(target)")
    }
    return 0
}

/// Runs the parsers that the program uses in its own process: detection, declared sizes, completeness, Exif.
private func readHeaders(_ data: Data) {
    _ = DeclaredHeader.read(data)
    _ = CaptureFacts(file: data)
    guard let format = FormatSniffer.format(of: data) else { return }
    data.withUnsafeBytes { _ = CompletenessCheck.isThere(in: $0, of: format) }
}

private func decode(_ data: Data, after signature: [UInt8]) {
    let file = data.starts(with: signature) ? data : Data(signature) + data
    _ = PNGRepair(file)
    let decoder = CodecDecoder(formats: [.png, .gif, .webP, .pnm, .qoi, .icns])
    let loading = AnimationLoading(preloadsAllFrames: true)
    _ = try? decoder.decode(file, within: nil, limits: limits, animation: loading)
}

private func scan(_ data: Data) {
    let file = Data([0xFF, 0xD8]) + data
    var scanner = ProgressiveScanner()
    for start in stride(from: 0, to: file.count, by: 7) { _ = scanner.append(file[start..<min(file.count, start + 7)]) }
    file.withUnsafeBytes { bytes in
        let segments = JPEGSegments(bytes)
        _ = (segments.orientation, segments.unsupportedKind)
    }
}

/// Reads the sizes and colours that files of other formats declare.
private func readBitmaps(_ data: Data) {
    data.withUnsafeBytes { bytes in
        for format in ImageFormat.allCases { _ = DeclaredSize(ByteView(bytes: bytes), format: format) }
        for format in [ImageFormat.jpeg, .png, .webP] { _ = ColorFacts(bytes, format) }
        _ = ICCProfile(bytes).name
        for format in [ImageFormat.bmp, .pcx, .tga] { _ = CompletenessCheck.isThere(in: bytes, of: format) }
        for page in 1...2 {
            _ = (try? IconFile.icon(page, in: bytes, isTolerant: page == 1), try? ICNSFile.icon(page, in: bytes))
        }
    }
}

/// Reads each line as the field of a response.
private func readFields(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        let line = String(line)
        _ = ChallengeParser.schemes(in: [line])
        _ = ContentRange(line)
        _ = RetryAfter(line, now: 1_800_000_000)
        _ = Cookie(setBy: line, at: URL(filePath: "/"), now: 1_800_000_000)
    }
}

private func readInput(_ data: Data) {
    var parser = InputParser()
    var pastes = PasteDetector()
    for start in stride(from: 0, to: data.count, by: 5) {
        _ = pastes.process(parser.parse(data[start..<min(data.count, start + 5)]), at: .milliseconds(start))
    }
    _ = pastes.process(parser.flush(), at: .zero)
}

private func parse(_ data: Data) {
    let base = ListBase.web("http://example.org/a/")
    var parsers: [any ListParser] = [
        PlainTextParser(base: base), JSONLinesParser(base: base), JSONParser(base: base, isArray: true),
        JSONParser(base: base, isArray: false), PageParser(base: base), MarkdownParser(base: base),
        MetalinkParser(base: base), CaptureParser(base: base),
        SitemapParser(base: base), FeedParser(base: base),
    ]
    for index in parsers.indices {
        var events: [ListEvent] = []
        for start in stride(from: 0, to: data.count, by: 11) {
            parsers[index].feed(Array(data[start..<min(data.count, start + 11)]), into: &events)
        }
        parsers[index].finish(isTruncated: false, into: &events)
    }
}
