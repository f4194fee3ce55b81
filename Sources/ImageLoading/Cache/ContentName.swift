/// The name of a content file: the digest of what it holds and, where one is forced, an extension.
///
/// Equal content under one extension is one file; under another extension it is another file.
struct ContentName: Hashable, Sendable {
    let digest: ContentDigest
    let fileExtension: String?

    init(digest: ContentDigest, fileExtension: String? = nil) {
        self.digest = digest
        self.fileExtension = fileExtension
    }

    /// Takes a name as it stands in the index; nil when it is not one.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let digest = parts.first.flatMap({ ContentDigest(hexadecimal: String($0)) }) else { return nil }
        let fileExtension = parts.count > 1 ? String(parts[1]) : nil
        if let fileExtension, !Self.isExtension(fileExtension) { return nil }
        self.init(digest: digest, fileExtension: fileExtension)
    }

    var text: String { fileExtension.map { "\(digest.hexadecimal).\($0)" } ?? digest.hexadecimal }

    /// 1 to 32 bytes without slash, NUL and other control characters.
    static func isExtension(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0 != "/" && $0.properties.generalCategory != .control }
    }
}
