import AlcedoCWebP
import Raster

/// A still WebP file decoded by libwebp, which scales while decoding.
struct WebPCodec: Codec {
    let format = ImageFormat.webP
    let storedSize: PixelSize
    let orientation: Orientation
    private let bytes: UnsafeRawBufferPointer
    private let hasAlpha: Bool

    /// Opens a WebP; nil for animations and for a colour profile other than sRGB.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var features = WebPBitstreamFeatures()
        guard WebPGetFeatures(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &features) == VP8_STATUS_OK,
            features.has_animation == 0
        else { return nil }
        let chunks = RIFFChunks(bytes)
        if let profile = chunks["ICCP"], !ICCProfile(profile).isSRGB { return nil }
        orientation = chunks["EXIF"].map(Orientation.init(exif:)) ?? .upright
        storedSize = PixelSize(width: Int(features.width), height: Int(features.height))
        hasAlpha = features.has_alpha != 0
        self.bytes = bytes
    }

    func pixels(scaledTo target: PixelSize) -> DecodedPixels? {
        guard
            let pixels = decode(
                to: target,
                { bytes, count, configuration in
                    WebPDecode(bytes, count, &configuration) == VP8_STATUS_OK
                })
        else { return nil }
        return DecodedPixels(pixels: pixels, damage: isShort ? .missingEnd : nil)
    }

    /// Decodes the upright picture as far as its pixels go; nil if there are none.
    func part(upright target: PixelSize) -> DecodedPixels? {
        guard let pixels = partialPixels(scaledTo: orientation.upright(target)) else { return nil }
        return DecodedPixels(
            pixels: orientation.upright(pixels),
            damage: isShort ? .incomplete("the file is cut off") : .corrupt("its compressed pixels are damaged"))
    }

    private func partialPixels(scaledTo target: PixelSize) -> PixelBuffer? {
        decode(to: target) { bytes, count, configuration in
            guard let decoder = WebPIDecode(nil, 0, &configuration) else { return false }
            defer { WebPIDelete(decoder) }
            let status = WebPIAppend(decoder, bytes, count)
            var rows: Int32 = 0
            guard status == VP8_STATUS_SUSPENDED || status == VP8_STATUS_OK || status == VP8_STATUS_BITSTREAM_ERROR,
                WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil
            else { return false }
            return rows > 0
        }
    }

    /// Whether the size in the RIFF header is larger than the file.
    private var isShort: Bool {
        ByteView(bytes: bytes).number(at: 4, bytes: 4, isLittle: true).map { $0 > bytes.count - 8 } ?? true
    }

    private func decode(
        to target: PixelSize, _ body: (UnsafePointer<UInt8>?, Int, inout WebPDecoderConfig) -> Bool
    ) -> PixelBuffer? {
        var configuration = WebPDecoderConfig()
        guard !target.isEmpty, WebPInitDecoderConfig(&configuration) != 0 else { return nil }
        configuration.options.use_threads = 1
        if target != storedSize {
            configuration.options.use_scaling = 1
            configuration.options.scaled_width = Int32(target.width)
            configuration.options.scaled_height = Int32(target.height)
        }
        configuration.output.colorspace = MODE_RGBA
        configuration.output.is_external_memory = 1
        configuration.output.u.RGBA.stride = Int32(target.width * 4)
        configuration.output.u.RGBA.size = target.area * 4
        var isDecoded = false
        let pixels = PixelBuffer(size: target) { memory in
            configuration.output.u.RGBA.rgba = memory.baseAddress
            memory.update(repeating: 0)
            isDecoded = body(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &configuration)
            // A lossless stream may contain alpha values although its header says that they are unused.
            if !hasAlpha { for alpha in stride(from: 3, to: memory.count, by: 4) { memory[alpha] = 255 } }
        }
        return isDecoded ? pixels : nil
    }
}

/// The chunks of a WebP file.
///
/// Source: RFC 9649, sections 2.3 and 2.7.
struct RIFFChunks {
    private let view: ByteView

    init(_ bytes: UnsafeRawBufferPointer) { view = ByteView(bytes: bytes) }

    /// Returns the content of the first chunk with this name; nil if there is none.
    subscript(name: String) -> UnsafeRawBufferPointer? {
        var offset = 12
        while let length = view.number(at: offset + 4, bytes: 4, isLittle: true) {
            if view.has(name, at: offset) { return view.part(at: offset + 8, count: length) }
            offset += 8 + length + length % 2
        }
        return nil
    }
}
