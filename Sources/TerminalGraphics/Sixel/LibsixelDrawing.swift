import CSixel
import Raster

/// The two libsixel objects of one encoding, an output and a dither, which are freed with it.
struct LibsixelDrawing: ~Copyable {
    private let output: OpaquePointer
    private let dither: OpaquePointer
    private let written = Written()

    /// What libsixel has written so far.
    private final class Written {
        var bytes: [UInt8] = []
    }

    init(colors: Int) throws(SixelError) {
        var dither: OpaquePointer?
        try Self.check(sixel_dither_new(&dither, Int32(min(max(colors, 2), 256)), nil))
        guard let dither else { throw .library(status: 0) }
        var output: OpaquePointer?
        let status = sixel_output_new(&output, Self.write, Unmanaged.passUnretained(written).toOpaque(), nil)
        guard csixel_failed(status) == 0, let output else {
            sixel_dither_unref(dither)
            throw .library(status: status)
        }
        self.dither = dither
        self.output = output
        sixel_dither_set_pixelformat(dither, csixel_pixelformat_pal8())
        sixel_dither_set_body_only(dither, 1)
        sixel_output_set_skip_dcs_envelope(output, 1)
    }

    deinit {
        sixel_output_unref(output)
        sixel_dither_unref(dither)
    }

    /// What libsixel writes for `indices`, which it may change.
    func body(of indices: inout [UInt8], size: PixelSize) throws(SixelError) -> [UInt8] {
        let (total, overflow) = size.area.multipliedReportingOverflow(by: 3)
        guard !overflow, total <= Int(Int32.max) else { throw .tooLarge }
        guard indices.count == size.area else { throw .malformedBody }
        let status = indices.withUnsafeMutableBufferPointer { indices in
            sixel_encode(indices.baseAddress, Int32(size.width), Int32(size.height), 0, dither, output)
        }
        try Self.check(status)
        return written.bytes
    }

    private static func check(_ status: SIXELSTATUS) throws(SixelError) {
        guard csixel_failed(status) == 0 else { throw .library(status: status) }
    }

    private static let write: sixel_write_function = { data, size, context in
        guard let data, let context, size > 0 else { return 0 }
        let written = Unmanaged<Written>.fromOpaque(context).takeUnretainedValue()
        written.bytes += UnsafeRawBufferPointer(start: data, count: Int(size))
        return size
    }
}
