/// Something that writes an indexed picture as a sixel stream.
public protocol SixelEncoder: Sendable {
    /// One complete control string, from `ESC P` to `ESC \`; no bytes for an empty picture.
    ///
    /// The stream names its size, defines every register it uses before using it, draws every pixel of the picture
    /// and none outside it, and does not end in a line feed, so that it never scrolls by itself.
    func encode(_ picture: IndexedPicture) async throws(SixelError) -> [UInt8]
}

/// Why a sixel stream could not be written.
public enum SixelError: Error, Hashable, Sendable {
    /// The picture is larger than the library can count.
    case tooLarge
    /// libsixel refused, with its status code.
    case library(status: Int32)
    /// libsixel wrote something that is not the body of a sixel picture of the size asked for.
    case malformedBody
}
