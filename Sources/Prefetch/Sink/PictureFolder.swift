import AlcedoBrowserCore
import AlcedoCFiles
import AlcedoConfig
import AlcedoLists
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading
import Raster
import Retrying

/// The folder of `alcedo download`: a file for each picture, and `manifest.jsonl`, which has a line for each of them.
///
/// A file gets its name when it is whole; until then it is hidden. It replaces no other file. The manifest is locked, so
/// that one process at a time writes to a folder.
final class PictureFolder: PictureSink {
    static let manifestName = "manifest.jsonl"
    private static let temporaryPrefix = ".alcedo-part-"
    /// The number of pictures after which the system is asked to put them on the disk.
    private static let group = 1000

    let isJournaled = false
    private let folder: String
    private let template: NameTemplate
    private let keepsAddress: Bool
    private let encoding: PictureEncoding?
    private let manifest: Manifest
    /// The folders that are known to be there.
    private var folders: Set<String> = []
    /// The names of this run, without their extensions, by their hashes, with the last number that each got.
    private var numbers: [UInt64: UInt32] = [:]
    /// The numbers of the pictures whose names are taken by earlier ones of the lists.
    private var numbered: [Int: Int] = [:]
    private var count = 0

    /// Opens a folder, which is made if there is nothing, and removes what a killed run left there.
    ///
    /// - Parameter encoding: What becomes of each picture; nil writes its own bytes.
    init(
        _ folder: String, _ template: NameTemplate, keepsAddress: Bool, _ encoding: PictureEncoding? = nil
    ) throws(ProgramProblem) {
        (self.folder, self.template) = (folder, template)
        (self.keepsAddress, self.encoding) = (keepsAddress, encoding)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw ProgramProblem("cannot create the folder \(folder): \(SystemError.reason(of: error))")
        }
        manifest = try Manifest(folder.inFolder(Self.manifestName))
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(Self.temporaryPrefix) {
            unlink(folder.inFolder(name))
        }
    }

    func register(_ item: ItemRecord) -> Bool {
        // Equal bytes share a file that is named by their digest.
        if !template.uses(.sha256) {
            let name =
                template.path(of: values(of: item))
                + (encoding?.format?.fileExtension ?? NameTemplate.pictureExtension(of: item.entry.location))
            let number = (numbers[StableHash.hash(name)] ?? 0) + 1
            numbers[StableHash.hash(name)] = number
            if number > 1 { numbered[item.id] = Int(number) }
        }
        // Another recipe makes another file.
        guard let earlier = manifest.file(of: item.pictureName), earlier.recipe == encoding?.text(of: item.entry) else {
            return false
        }
        var status = stat()
        return folder.inFolder(earlier.file).withPath { stat($0, &status) } == 0
            && Int(status.st_size) == earlier.bytes
    }

    func add(_ item: ItemRecord, _ picture: SinkPicture) throws(SinkProblem) -> (file: String?, isKept: Bool) {
        var (report, values) = (picture.report, values(of: item))
        values.sha256 = report.sha256 ?? ""
        values.ext = picture.format.map { ".\($0.fileExtension)" } ?? ".bin"
        let file = try write(picture.data, values, item, modified: report.lastModified)
        report.file = file
        if let error = manifest.append(JSONLine.bytes(of: report), of: item.pictureName) { throw problem(error) }
        count += 1
        if count % Self.group == 0 { manifest.sync() }
        return (file, true)
    }

    func finish() throws(SinkProblem) { manifest.sync() }

    private func values(of item: ItemRecord) -> NameTemplate.Values {
        NameTemplate.Values(
            location: item.entry.location, index: item.id + 1, key: PrefetchProgram.shardKey(of: item),
            title: item.entry.title ?? "", columns: item.entry.columns)
    }

    /// Writes a file under the first name that is free, or that has these bytes or this picture already.
    ///
    /// - Returns: Its path in the folder.
    private func write(
        _ picture: Data, _ values: NameTemplate.Values, _ item: ItemRecord, modified: String?
    ) throws(SinkProblem) -> String {
        let own = manifest.file(of: item.pictureName)?.file
        var number = numbered.removeValue(forKey: item.id) ?? 1
        let part = folder.inFolder("\(Self.temporaryPrefix)\(item.id)")
        try writePart(part, picture, item, modified: modified)
        while true {
            let file = template.path(of: values, number: number)
            let path = folder.inFolder(file)
            if let error = makeFolder(of: path) { throw failed(part, error, file) }
            let status = part.withPath { part in
                path.withPath { file == own ? rename(part, $0) : alcedo_rename(part, $0) }
            }
            if status == 0 { return file }
            guard errno == EEXIST else { throw failed(part, errno, file) }
            if Self.has(path, picture) {
                unlink(part)
                return file
            }
            number += 1
        }
    }

    private func writePart(
        _ part: String, _ picture: Data, _ item: ItemRecord, modified: String?
    ) throws(SinkProblem) {
        let descriptor = part.withPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw problem(errno) }
        defer { close(descriptor) }
        let error = Console.writeAll(picture, to: descriptor)
        guard error == 0 else { throw failed(part, error, "") }
        let now = Int64(time(nil))
        if let modified, let date = HTTPDate(modified, now: now)?.secondsSince1970, (1...now).contains(date) {
            let time = timespec(tv_sec: Int(date), tv_nsec: 0)
            _ = [time, time].withUnsafeBufferPointer { futimens(descriptor, $0.baseAddress) }
        }
        // A file system without extended attributes loses only them.
        if keepsAddress {
            _ = Array(item.shown.utf8).withUnsafeBytes { address in
                fsetxattr(descriptor, "user.xdg.origin.url", address.baseAddress, address.count, 0)
            }
        }
    }

    /// Makes the folder of a file; returns the error number, 0 not included.
    private func makeFolder(of path: String) -> Int32? {
        let parent = path.pathFolder
        guard parent != folder, !folders.contains(parent) else { return nil }
        if let error = makeFolder(of: parent) { return error }
        guard parent.withPath({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else { return errno }
        var status = stat()
        guard parent.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else { return ENOTDIR }
        folders.insert(parent)
        return nil
    }

    private static func has(_ path: String, _ picture: Data) -> Bool {
        var status = stat()
        guard path.withPath({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int(status.st_size) == picture.count
        else { return false }
        return (try? Data(contentsOf: URL(file: path))) == picture
    }

    private func failed(_ part: String, _ error: Int32, _ file: String) -> SinkProblem {
        unlink(part)
        return problem(error, file)
    }

    /// Returns the problem of an error number; some concern one name only.
    private func problem(_ error: Int32, _ file: String = "") -> SinkProblem {
        let isOfName = [ENOTDIR, EISDIR, ENAMETOOLONG, EINVAL, EILSEQ].contains(error)
        let reason = String(cString: strerror(error))
        return SinkProblem(
            text: isOfName ? "cannot write \(file): \(reason)" : "cannot write to \(folder): \(reason)",
            endsRun: !isOfName)
    }
}

/// The lines of `manifest.jsonl` by the pictures' names: only their places are held in memory.
private final class Manifest {
    private let descriptor: Int32
    private var end: Int
    private var places: [UInt64: (start: Int, count: Int)] = [:]

    /// Opens the manifest, which is made if there is none; a last line that was cut off is removed.
    init(_ path: String) throws(ProgramProblem) {
        descriptor = path.withPath { open($0, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw ProgramProblem("cannot write \(path): \(String(cString: strerror(errno)))") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw ProgramProblem("another process writes to \(path.pathFolder): give this one a folder of its own")
        }
        end = 0
        var (buffer, rest, start) = ([UInt8](repeating: 0, count: 1 << 20), [UInt8](), 0)
        while case let count = pread(descriptor, &buffer, buffer.count, off_t(start + rest.count)), count > 0 {
            rest += buffer[..<count]
            var next = rest.startIndex
            while let newline = rest[next...].firstIndex(of: 10) {
                Self.id(in: rest[next..<newline]).map { places[$0] = (start + next, newline - next) }
                next = newline + 1
            }
            rest.removeFirst(next)
            start += next
        }
        end = start
        _ = ftruncate(descriptor, off_t(end))
    }

    deinit { close(descriptor) }

    private static let idStart = Array(#"{"id":""#.utf8)

    private static func id(in line: ArraySlice<UInt8>) -> UInt64? {
        guard line.starts(with: idStart) else { return nil }
        return UInt64(String(decoding: line.dropFirst(idStart.count).prefix(16), as: UTF8.self), radix: 16)
    }

    /// Returns the file of a picture, its size and how it was made, as its last line says.
    func file(of pictureName: String) -> (file: String, bytes: Int, recipe: String?)? {
        guard let place = places[StableHash.hash(pictureName)] else { return nil }
        var line = [UInt8](repeating: 0, count: place.count)
        guard pread(descriptor, &line, line.count, off_t(place.start)) == line.count,
            let object = JSONValue(line: line), let file = object["file"]?.text, let bytes = object["bytes"]?.whole
        else { return nil }
        let written = object["written"]
        return (file, written?["bytes"]?.whole ?? bytes, written?["recipe"]?.text)
    }

    /// Appends the facts of a picture; returns the error number of a failure.
    func append(_ facts: [UInt8], of pictureName: String) -> Int32? {
        let hash = StableHash.hash(pictureName)
        let line = Array("{\"id\":\"\(hash.digits(16, radix: 16))\",".utf8) + facts.dropFirst()
        guard lseek(descriptor, off_t(end), SEEK_SET) >= 0 else { return errno }
        let error = Console.writeAll(line, to: descriptor)
        guard error == 0 else {
            _ = ftruncate(descriptor, off_t(end))
            return error
        }
        places[hash] = (end, line.count - 1)
        end += line.count
        return nil
    }

    /// Puts the files and the manifest on the disk.
    func sync() {
        alcedo_syncfs(descriptor)
        fdatasync(descriptor)
    }
}
