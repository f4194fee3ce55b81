import Foundation

/// A JPEG of 32×16 pixels whose quarters are red and green above, blue and white below, with an EXIF orientation.
package enum OrientedJPEG {
    package static func data(orientation: UInt8) throws -> Data {
        guard let plain = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else { throw Unreadable() }
        return plain.prefix(2) + exif(orientation) + plain.dropFirst(2)
    }

    private struct Unreadable: Error {}

    /// An APP1 segment with one entry, the orientation (EXIF 2.32, sections 4.5 and 4.6).
    private static func exif(_ orientation: UInt8) -> Data {
        let body: [UInt8] = Array("Exif".utf8) + [0, 0] + tiff(orientation)
        return Data([0xFF, 0xE1, 0, UInt8(body.count + 2)] + body)
    }

    /// The same without the segment's name, as PNG and WebP hold it.
    package static func tiff(_ orientation: UInt8) -> [UInt8] {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        return Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
    }

    /// Made with `cjpeg -quality 80 -optimize -sample 1x1`.
    private static let base64 = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYn
        KSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgo
        KCgoKCgoKCj/wAARCAAQACADAREAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAcICf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/
        xAAZAQEAAgMAAAAAAAAAAAAAAAAABggFBwn/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCdIcsiAsSIOegDLy+L
        cQDparczAD//2Q==
        """
}
