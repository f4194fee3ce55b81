import Foundation

/// libspng, taken where it is installed: nothing but this comparison needs it.
struct SpngLibrary {
    private typealias New = @convention(c) (Int32) -> OpaquePointer?
    private typealias Free = @convention(c) (OpaquePointer) -> Void
    private typealias SetBuffer = @convention(c) (OpaquePointer, UnsafeRawPointer?, Int) -> Int32
    private typealias Size = @convention(c) (OpaquePointer, Int32, UnsafeMutablePointer<Int>) -> Int32
    private typealias Decode = @convention(c) (OpaquePointer, UnsafeMutableRawPointer?, Int, Int32, Int32) -> Int32

    /// Four bytes a pixel, and transparency as the file's tRNS chunk says.
    private static let (rgba, appliesTransparency): (Int32, Int32) = (1, 1)

    private let library: UnsafeMutableRawPointer

    /// Nil where it is not installed.
    init?() {
        guard let library = dlopen("libspng.so.0", RTLD_NOW) else { return nil }
        self.library = library
    }

    /// Decodes a whole file into memory of its own.
    func decode(_ file: Data) {
        let new: New = function("spng_ctx_new"), free: Free = function("spng_ctx_free")
        let setBuffer: SetBuffer = function("spng_set_png_buffer"), size: Size = function("spng_decoded_image_size")
        let decode: Decode = function("spng_decode_image")
        guard let context = new(0) else { return }
        defer { free(context) }
        file.withUnsafeBytes { bytes in
            var count = 0
            guard setBuffer(context, bytes.baseAddress, bytes.count) == 0, size(context, Self.rgba, &count) == 0 else {
                return
            }
            let pixels = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
            defer { pixels.deallocate() }
            let status = decode(context, pixels, count, Self.rgba, Self.appliesTransparency)
            precondition(status == 0, "libspng refuses the picture: \(status)")
        }
    }

    private func function<Function>(_ name: String) -> Function {
        guard let address = dlsym(library, name) else { fatalError("libspng has no \(name)") }
        return unsafeBitCast(address, to: Function.self)
    }
}
