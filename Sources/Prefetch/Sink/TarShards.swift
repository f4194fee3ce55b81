import AlcedoBrowserCore
import AlcedoConfig
import AlcedoSupport
import FoundationEssentials
import Glibc
import Raster

/// The tar files of `prefetch --to tar:FOLDER`, as WebDataset reads them: for each picture `KEY.EXT`,
/// `KEY.json`, and `KEY.txt` if it has a caption.
///
/// A file gets its name, `00000.tar` and so on, when it is whole. Until then it is a hidden file that is locked; such
/// files of a killed run are removed by the next one. Several processes may write to one folder.
final class TarShards: PictureSink {
    /// The number of pictures in a file.
    static let size = 1000

    private let folder: String
    private var file: (descriptor: Int32, path: String)?
    private var count = 0
    private var next = 0
    /// The keys of the pictures in the tar files of earlier runs.
    private var earlier: Set<UInt64> = []

    /// Creates the folder if needed, removes what a killed run left there, and reads the keys of its tar files.
    init(folder: String) throws(ProgramProblem) {
        self.folder = folder
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw ProgramProblem("cannot create the folder \(folder): \(SystemError.reason(of: error))")
        }
        guard access(folder, W_OK) == 0 else { throw ProgramProblem(problem().text) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(Self.prefix) {
            let descriptor = open("\(folder)/\(name)", O_RDWR | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink("\(folder)/\(name)") }
            close(descriptor)
        }
        for name in names where name.wholeMatch(of: /[0-9]{5,}\.tar/) != nil {
            Self.readKeys(of: "\(folder)/\(name)", into: &earlier)
        }
    }

    let isJournaled = true

    func register(_ item: ItemRecord) -> Bool { contains(key: PrefetchProgram.shardKey(of: item)) }

    func add(_ item: ItemRecord, _ picture: SinkPicture) throws(SinkProblem) -> (file: String?, isKept: Bool) {
        let isKept = try add(
            key: PrefetchProgram.shardKey(of: item), fileExtension: picture.format?.fileExtension ?? "bin",
            picture.data, caption: picture.caption, facts: Data(JSONLine.bytes(of: picture.report)))
        return (nil, isKept)
    }

    /// Returns whether a tar file of an earlier run has a picture.
    func contains(key: String) -> Bool { UInt64(key, radix: 16).map(earlier.contains) == true }

    deinit { discard() }

    private static let prefix = ".alcedo-shard-"

    /// Appends a picture, its caption and its facts.
    ///
    /// - Returns: Whether the file is now whole, so that all of its pictures are kept.
    func add(
        key: String, fileExtension: String, _ picture: Data, caption: String? = nil, facts: Data
    ) throws(SinkProblem) -> Bool {
        let descriptor = try openFile()
        var parts = [("\(key).\(fileExtension)", picture), ("\(key).json", facts)]
        if let caption { parts.append(("\(key).txt", Data(caption.utf8))) }
        for (name, bytes) in parts {
            guard Console.writeAll(Self.entry(name, bytes), to: descriptor) == 0 else { throw failed() }
        }
        count += 1
        guard count >= Self.size else { return false }
        try finish()
        return true
    }

    /// Ends the file and gives it the next free name; does nothing without pictures.
    func finish() throws(SinkProblem) {
        guard let file else { return }
        guard Console.writeAll(Data(count: 2 * Self.block), to: file.descriptor) == 0, fsync(file.descriptor) == 0
        else {
            throw failed()
        }
        while true {
            let name = "\(folder)/\(next.digits(5)).tar"
            next += 1
            if link(file.path, name) == 0 {
                unlink(file.path)
                break
            }
            if errno == EEXIST { continue }
            // The file system has no hard links.
            guard [EPERM, EOPNOTSUPP].contains(errno) else { throw failed() }
            if access(name, F_OK) == 0 { continue }
            guard rename(file.path, name) == 0 else { throw failed() }
            break
        }
        close(file.descriptor)
        (self.file, count) = (nil, 0)
    }

    private func openFile() throws(SinkProblem) -> Int32 {
        if let file { return file.descriptor }
        let path = "\(folder)/\(Self.prefix)\(UUID().uuidString)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw problem() }
        flock(descriptor, LOCK_EX)
        // A run that starts now may have removed the file before it was locked.
        guard access(path, F_OK) == 0 else {
            close(descriptor)
            return try openFile()
        }
        file = (descriptor, path)
        return descriptor
    }

    /// Removes the unfinished file, and returns the problem that the system reports.
    private func failed() -> SinkProblem {
        let problem = problem()
        discard()
        return problem
    }

    private func problem() -> SinkProblem {
        SinkProblem(text: "cannot write to \(folder): \(String(cString: strerror(errno)))")
    }

    private func discard() {
        guard let file else { return }
        unlink(file.path)
        close(file.descriptor)
        (self.file, count) = (nil, 0)
    }

    private static let block = 512

    /// Adds the keys of the pictures in a tar file, as far as it can be read.
    private static func readKeys(of path: String, into keys: inout Set<UInt64>) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: block)
        var offset = 0
        while pread(descriptor, &header, block, off_t(offset)) == block, header[0] != 0 {
            let name = String(decoding: header[..<100].prefix { $0 != 0 }, as: UTF8.self)
            let digits = String(decoding: header[124..<135], as: UTF8.self)
            guard let size = Int(digits, radix: 8), size >= 0 else { return }
            if !name.hasSuffix(".json"), !name.hasSuffix(".txt"), let key = UInt64(name.prefix { $0 != "." }, radix: 16)
            {
                keys.insert(key)
            }
            offset += block + (size + block - 1) / block * block
        }
    }

    /// Returns a file of a tar archive (ustar, POSIX.1-2017, pax: "ustar Interchange Format").
    ///
    /// - Parameter name: ASCII of at most 100 characters.
    private static func entry(_ name: String, _ bytes: Data) -> Data {
        var header = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put(name, at: 0)
        for (offset, value, digits) in [
            (100, 0o644, 7), (108, 0, 7), (116, 0, 7), (124, bytes.count, 11), (136, 0, 11),
        ] {
            put(value.digits(digits, radix: 8), at: offset)
        }
        put("        0", at: 148)
        put("ustar\u{0}00", at: 257)
        put(header.reduce(0) { $0 + Int($1) }.digits(6, radix: 8) + "\u{0}", at: 148)
        return header + bytes + Data(count: (block - bytes.count % block) % block)
    }
}
