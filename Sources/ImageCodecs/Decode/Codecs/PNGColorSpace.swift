import FoundationEssentials
import Raster

/// The colour space that the chunks of a PNG state, by their order of precedence: cICP, iCCP, sRGB, then gAMA with
/// cHRM.
///
/// If a kind of chunk occurs twice, the first one counts, as in Chromium. A cHRM chunk without gAMA is ignored. A gAMA
/// chunk near 1/2.2 means sRGB if the primaries are those of sRGB or missing, because section 11.3.2.5 recommends these
/// values for sRGB.
///
/// Source: W3C PNG, third edition, section 4.3 and sections 11.3.2.1 to 11.3.2.6.
struct PNGColorSpace {
    /// The values of a usable cICP chunk.
    private var codePoints: (primaries: ColorPrimaries, transfer: ColorTransfer)?
    private var hasStandardChunk = false
    /// The image gamma, the exponent from light to samples.
    private var gamma: Double?
    private var primaries: ColorPrimaries?
    private(set) var hasProfile = false
    /// Whether there was a colour profile, which may be unusable.
    private(set) var hasProfileChunk = false
    private var profileName: String?
    private var codePointName: String?
    private var hasPalette = false
    /// The luminance of the brightest pixel or of the mastering display in cd/m²; nil if no chunk states it.
    private var brightest: Double?

    init() {}

    /// Reads the chunks before the pixels of a file; damaged chunks are ignored.
    init(_ bytes: UnsafeRawBufferPointer) {
        for chunk in PNGChunks.all(in: ByteView(bytes: bytes)) {
            if chunk.name == PNGChunks.ChunkName.pixels { return }
            if PNGChunks.ChunkName.colors.contains(chunk.name), chunk.isIntact { read(chunk) }
        }
    }

    mutating func read(_ chunk: PNGChunks.Chunk) {
        let content = chunk.content
        switch chunk.name {
        case PNGChunks.ChunkName.palette: hasPalette = true
        // cICP must come before the palette.
        case PNGChunks.ChunkName.codePoints:
            if codePoints == nil, !hasPalette { readCodePoints(content.bytes) }
        case PNGChunks.ChunkName.profile:
            guard !hasProfileChunk else { return }
            hasProfileChunk = true
            let profile = PNGChunks.profile(in: content.bytes) { bytes in
                ICCProfile(bytes).isValid ? (name: ICCProfile(bytes).name, isValid: true) : nil
            }
            if let profile = profile ?? nil { (hasProfile, profileName) = (true, profile.name) }
        case PNGChunks.ChunkName.contentLight, PNGChunks.ChunkName.masteringDisplay:
            let isContent = chunk.name == PNGChunks.ChunkName.contentLight
            guard let value = content.number(at: isContent ? 0 : 16, bytes: 4), value > 0 else { return }
            brightest = isContent ? Double(value) / 10_000 : brightest ?? Double(value) / 10_000
        case PNGChunks.ChunkName.standard: hasStandardChunk = true
        case PNGChunks.ChunkName.gamma:
            guard gamma == nil, content.bytes.count == 4, let value = content.number(at: 0, bytes: 4), value > 0 else {
                return
            }
            gamma = Double(value) / 100_000
        case PNGChunks.ChunkName.primaries:
            let values = (0..<8).compactMap { content.number(at: $0 * 4, bytes: 4) }
            guard primaries == nil, values.count == 8, content.bytes.count == 32 else { return }
            primaries = ColorPrimaries(values.map { Double(Int32(truncatingIfNeeded: $0)) / 100_000 })
        default: break
        }
    }

    /// The name of the colour space in use; nil if no chunk states one.
    var name: String? {
        if codePoints != nil { return codePointName }
        if hasProfile { return profileName }
        if hasStandardChunk { return "sRGB" }
        return gamma.map { "gamma \((1 / $0 * 100).rounded() / 100)" }
    }

    /// Whether the colours follow the colour profile.
    var usesProfile: Bool { hasProfile && codePoints == nil }

    /// The chunks that libvips must not see: a profile that cICP overrides, or an sRGB chunk beside a profile, which
    /// libvips would prefer although the profile has precedence.
    var hiddenChunks: Set<Int> {
        guard hasProfile else { return [] }
        return codePoints != nil
            ? [PNGChunks.ChunkName.profile] : hasStandardChunk ? [PNGChunks.ChunkName.standard] : []
    }

    /// The conversion to sRGB; nil if the samples are sRGB already and for a colour profile.
    var conversion: ColorConversion? {
        if let codePoints {
            let isSRGB = codePoints.transfer == .sRGB && codePoints.primaries.isSRGB
            return isSRGB ? nil : ColorConversion(codePoints.primaries, codePoints.transfer, brightest: brightest)
        }
        guard !hasProfile, !hasStandardChunk, let gamma else { return nil }
        let primaries = primaries.flatMap { $0.isSRGB ? nil : $0 }
        // libpng's threshold of a gamma correction that has no visible effect (PNG_GAMMA_THRESHOLD).
        let isNeutral = abs(gamma * 2.2 - 1) < 0.05
        if primaries == nil, isNeutral { return nil }
        return ColorConversion(primaries ?? .sRGB, .power(1 / gamma))
    }

    /// Reads the code points of ITU-T H.273; ignored with matrix coefficients, a narrow range, or unknown values.
    private mutating func readCodePoints(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 4, bytes[2] == 0, bytes[3] == 1, let primaries = ColorPrimaries(codePoint: bytes[0]),
            let transfer = ColorTransfer(codePoint: bytes[1])
        else { return }
        codePoints = (primaries, transfer)
        codePointName = ColorConversion.name(primaries: Int(bytes[0]), transfer: Int(bytes[1]))
    }
}

extension VipsFile {
    /// Decodes a PNG and converts its colours to sRGB.
    ///
    /// - Parameters:
    ///   - size: The upright size of the picture.
    ///   - box: The box to fit; nil or an empty box keeps the size.
    func pngPicture(
        of size: PixelSize, within box: PixelSize?, isWhole: Bool = true
    ) throws(CodecError) -> PixelBuffer {
        let space = data.withUnsafeBytes(PNGColorSpace.init)
        let hidden = space.hiddenChunks
        let file = hidden.isEmpty ? self : VipsFile(without(hidden), format: .png)
        guard let conversion = space.conversion else {
            return try file.read(isWhole: isWhole) { (file) throws(VipsFailure) in
                try file.picture(of: size, within: box)
            }
        }
        var pixels = try file.read(isWhole: isWhole) { (file) throws(VipsFailure) in
            try file.picture(of: size, within: nil)
        }
        pixels.withMutableBytes { conversion.convert(UnsafeMutableRawBufferPointer($0)) }
        return pixels.resampled(to: size.fitted(into: box))
    }

    /// Returns the bytes of a PNG without chunks that libvips would apply.
    private func without(_ names: Set<Int>) -> Data {
        data.withUnsafeBytes { bytes in
            var (offset, copy) = (8, Data(bytes.prefix(8)))
            for chunk in PNGChunks.all(in: ByteView(bytes: bytes)) {
                if chunk.name == PNGChunks.ChunkName.pixels { break }
                if !names.contains(chunk.name) { copy.append(contentsOf: bytes[offset..<chunk.end]) }
                offset = chunk.end
            }
            copy.append(contentsOf: bytes[offset...])
            return copy
        }
    }
}
