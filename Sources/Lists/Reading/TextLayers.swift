/// What may lie around a text: gzip, then UTF-16, then a byte order mark, and line ends of any kind.
enum TextLayers {
    /// The text within, in UTF-8, without its mark, and with LF for every line end.
    ///
    /// Each layer is recognised by its first bytes.
    static func open(_ source: any ByteSource) async throws(ListError) -> PeekedStream {
        var stream = PeekedStream(source)
        try await stream.fill(to: 3)
        if stream.head.starts(with: GzipStream.signature) {
            stream = PeekedStream(try GzipStream(stream))
            try await stream.fill(to: 3)
        }
        if let order = UTF16Stream.ByteOrder(mark: stream.head) {
            stream.dropFirst(2)
            stream = PeekedStream(UTF16Stream(stream, order: order))
        } else if stream.head.starts(with: [0xEF, 0xBB, 0xBF]) {
            stream.dropFirst(3)
        }
        return PeekedStream(LineEndStream(stream))
    }
}
