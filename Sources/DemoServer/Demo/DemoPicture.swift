import Foundation

/// A picture that the demo serves, with its HTTP metadata.
struct DemoPicture: Sendable {
    let name: String
    let bytes: [UInt8]

    /// The content type according to the extension; nil if the file is not a picture.
    var type: String? { Self.types[(name as NSString).pathExtension.lowercased()] }

    /// A strong validator made of length and FNV-1a hash.
    let validator: String

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        validator = "\"\(String(bytes.count, radix: 16))-\(String(hash, radix: 16))\""
    }

    private static let types = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "bmp": "image/bmp", "tiff": "image/tiff", "tif": "image/tiff", "svg": "image/svg+xml",
    ]

    /// Reads the pictures of a folder in order of their names.
    static func read(_ folder: URL) throws(LoopbackError) -> [DemoPicture] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let pictures = names.sorted().compactMap { name -> DemoPicture? in
            let file = folder.appendingPathComponent(name)
            guard types[file.pathExtension.lowercased()] != nil else { return nil }
            guard let data = try? Data(contentsOf: file) else { return nil }
            return DemoPicture(name: name, bytes: Array(data))
        }
        guard !pictures.isEmpty else { throw .noPictures(folder: folder.path) }
        return pictures
    }
}
