/// An encoder of indexed pictures as sixel streams.
package protocol SixelEncoder: Sendable {
    /// Returns one complete control string, from `ESC P` to `ESC \`; no bytes for an empty picture.
    ///
    /// The stream declares its size, defines every register before using it, draws exactly the pixels of the picture,
    /// and does not end in a line feed, so that it never scrolls by itself.
    func encode(_ picture: IndexedPicture) async throws(SixelError) -> [UInt8]
}

/// An error of a sixel encoder.
package enum SixelError: Error, Hashable, Sendable {
    /// The picture is larger than the library can count.
    case tooLarge
    /// libsixel failed with a status code.
    case library(status: Int32)
    /// libsixel's output is not a sixel picture of the requested size.
    case malformedBody
}
