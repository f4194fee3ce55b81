import Raster

extension FormatSniffer {
    /// Detects the format of a file from its first bytes, also of an SVG file that gzip has compressed.
    ///
    /// - Parameters:
    ///   - bytes: The beginning of the file.
    ///   - isWhole: Whether no more bytes will follow.
    package static func judge(_ bytes: some Collection<UInt8>, isWhole: Bool) -> Verdict {
        judge(bytes, isWhole: isWhole) { compressed in
            compressed.withUnsafeBytes { Inflating.beginning(ofGzip: $0, count: markupBytes) }
        }
    }

    /// Detects the format of a whole file; nil if it is none of the supported ones.
    package static func format(of file: some Collection<UInt8>) -> ImageFormat? {
        if case .format(let format) = judge(file, isWhole: true) { format } else { nil }
    }
}
