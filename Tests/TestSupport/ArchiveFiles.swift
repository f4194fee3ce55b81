/// Archives for tests, without compression.
public enum ArchiveFiles {
    /// Returns a tar file (ustar, POSIX.1-1988).
    public static func tar(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        files.flatMap { header($0.name, $0.bytes.count) + padded($0.bytes) } + [UInt8](repeating: 0, count: 1024)
    }

    /// Returns a zip file whose files are stored (APPNOTE.TXT, version 6.3).
    ///
    /// - Parameter isEncrypted: Whether the files are marked as encrypted.
    public static func zip(_ files: [(name: String, bytes: [UInt8])], isEncrypted: Bool = false) -> [UInt8] {
        var (archive, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, bytes) in files {
            let flags = 0x800 | (isEncrypted ? 1 : 0)
            let common =
                number(20, 2) + number(flags, 2) + number(0, 2) + number(0, 4) + number(Int(crc32(bytes)), 4)
                + number(bytes.count, 4) + number(bytes.count, 4) + number(name.utf8.count, 2) + number(0, 2)
            directory += number(0x0201_4B50, 4) + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2)
            directory += number(0, 4) + number(archive.count, 4) + Array(name.utf8)
            archive += number(0x0403_4B50, 4) + common + Array(name.utf8) + bytes
        }
        let end =
            number(0x0605_4B50, 4) + number(0, 4) + number(files.count, 2) + number(files.count, 2)
            + number(directory.count, 4) + number(archive.count, 4) + number(0, 2)
        return archive + directory + end
    }

    private static func header(_ name: String, _ size: Int) -> [UInt8] {
        func octal(_ value: Int, _ width: Int) -> [UInt8] {
            let digits = String(value, radix: 8)
            return Array((String(repeating: "0", count: width - 1 - digits.count) + digits).utf8) + [0]
        }
        func block(_ checksum: [UInt8]) -> [UInt8] {
            let name = Array(name.utf8) + [UInt8](repeating: 0, count: 100 - name.utf8.count)
            let fields = name + octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(0, 12) + checksum
            let bytes = fields + Array("0".utf8) + [UInt8](repeating: 0, count: 100) + Array("ustar\u{0}00".utf8)
            return bytes + [UInt8](repeating: 0, count: 512 - bytes.count)
        }
        let sum = block(Array("        ".utf8)).reduce(0) { $0 + Int($1) }
        return block(Array(octal(sum, 7)) + Array(" ".utf8))
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var value = ~UInt32()
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}
