import AlcedoCFiles
import AlcedoSupport
import Dispatch
import Foundation
import Glibc
import Raster
import Synchronization
import TestSupport
import Testing

@testable import AlcedoFileOperations

@Suite(.timeLimit(.minutes(1))) struct FileOperatorTests {
    private let place: TemporaryFolder
    private let files: FileOperator

    init() throws {
        place = try TemporaryFolder()
        files = FileOperator(trashFolder: place / "home/Trash", now: { 1_000_000_000 })
    }

    private func exists(_ name: String) -> Bool { FileStep.status(place / name, followsLink: false) != nil }

    // MARK: - Trash

    @Test func `a file goes to the trash with a note that file managers read, and comes back`() throws {
        let path = try place.write("photos/a b\u{E9}.jpg", [1, 2, 3])
        let outcome = files.perform(.trash, on: [path])
        #expect(outcome.failures.isEmpty && !exists("photos/a b\u{E9}.jpg"))
        let note = try place.read("home/Trash/info/a b\u{E9}.jpg.trashinfo")
        #expect(note.hasPrefix("[Trash Info]\nPath=\(place.path)/photos/a%20b%C3%A9.jpg\nDeletionDate=2001-09-0"))
        #expect(try Data(contentsOf: URL(filePath: place / "home/Trash/files/a b\u{E9}.jpg")) == Data([1, 2, 3]))

        #expect(files.undo(outcome.changes).failures.isEmpty)
        #expect(exists("photos/a b\u{E9}.jpg") && !exists("home/Trash/info/a b\u{E9}.jpg.trashinfo"))
    }

    @Test func `files of one name from two folders are both kept in the trash`() throws {
        let paths = [try place.write("one/a.jpg", [1]), try place.write("two/a.jpg", [2])]
        let outcome = files.perform(.trash, on: paths)
        #expect(outcome.changes.count == 2 && exists("home/Trash/files/a.jpg") && exists("home/Trash/files/a.jpg.2"))
        #expect(files.undo(outcome.changes).failures.isEmpty)
        #expect(try Data(contentsOf: URL(filePath: paths[1])) == Data([2]))
    }

    @Test func `a file stays where it is if there is no trash for it`() throws {
        let path = try place.write("a.jpg", [1])
        try place.write("home/Trash", [0])
        let outcome = files.perform(.trash, on: [path])
        #expect(outcome.changes.isEmpty && outcome.failures.count == 1 && exists("a.jpg"))
    }

    // MARK: - Names and folders

    @Test(arguments: ["b.jpg", "-rf.jpg", "a\nb.jpg", " .jpg", "caf\u{E9}"])
    func `a file gets another name, and its old one again`(name: String) throws {
        let path = try place.write("a.jpg", [7])
        let outcome = files.perform(.rename(to: name), on: [path])
        #expect(outcome.failures.isEmpty && exists(name) && !exists("a.jpg"))
        #expect(files.undo(outcome.changes).failures.isEmpty)
        #expect(exists("a.jpg") && !exists(name))
    }

    @Test func `bytes that are no UTF-8 stay as they are`() throws {
        let bad = String(pathBytes: [0x61, 0xFF, 0x2E, 0x6A, 0x70, 0x67])
        let path = place.path.inFolder(bad)
        let descriptor = path.withPath { open($0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600) }
        #expect(descriptor >= 0)
        close(descriptor)
        let moved = files.perform(.move(into: place / "to"), on: [path])
        #expect(moved.changes.last?.to == (place / "to").inFolder(bad))
        let trashed = files.perform(.trash, on: [(place / "to").inFolder(bad)])
        #expect(trashed.failures.isEmpty)
        #expect(files.undo(trashed.changes).failures.isEmpty && files.undo(moved.changes).failures.isEmpty)
        #expect(FileStep.status(path) != nil && !exists("to"))
    }

    @Test(arguments: ["", ".", "..", "x/y.jpg", "/tmp/y.jpg"])
    func `a name that leads elsewhere is refused`(name: String) throws {
        let path = try place.write("a.jpg", [7])
        #expect(files.perform(.rename(to: name), on: [path]).failures.count == 1)
        #expect(exists("a.jpg"))
    }

    @Test func `a taken name is never replaced: a rename fails, a copy and a move get a number`() throws {
        let path = try place.write("a.jpg", [1])
        try place.write("b.jpg", [2])
        let refused = files.perform(.rename(to: "b.jpg"), on: [path])
        #expect(refused.failures == [.init(path: path, reason: "the name is taken")])
        try place.write("to/a.jpg", [3])
        try place.write("to/a-2.jpg", [4])
        let copied = files.perform(.copy(into: place / "to"), on: [path])
        #expect(copied.changes.map(\.to) == [place / "to/a-3.jpg"] && exists("a.jpg"))
        let moved = files.perform(.move(into: place / "to/"), on: [path])
        #expect(moved.changes.map(\.to) == [place / "to//a-4.jpg"])
        #expect(try Data(contentsOf: URL(filePath: place / "to/a.jpg")) == Data([3]))
        #expect(try Data(contentsOf: URL(filePath: place / "b.jpg")) == Data([2]))
    }

    @Test func `a missing target folder is made, and removed by undo`() throws {
        let path = try place.write("a.jpg", [1])
        let outcome = files.perform(.move(into: place / "deep/er"), on: [path])
        #expect(outcome.changes.count == 3 && exists("deep/er/a.jpg"))
        #expect(files.undo(outcome.changes).failures.isEmpty)
        #expect(exists("a.jpg") && !exists("deep"))
        #expect(files.perform(.makeFolder(place / "new/"), on: []).changes.count == 1 && exists("new"))
        #expect(files.perform(.makeFolder(place / "new"), on: []).failures.count == 1)
    }

    @Test func `a copy has the permissions and times of its original; undo leaves a changed copy`() throws {
        let path = try place.write("a.jpg", Array(repeating: 5, count: 3_000_000))
        chmod(path, 0o640)
        let times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 2_000, tv_nsec: 500)]
        utimensat(AT_FDCWD, path, times, 0)
        let first = files.perform(.copy(into: place / "to"), on: [path])
        let status = try #require(FileStep.status(place / "to/a.jpg"))
        #expect(status.st_mode & 0o777 == 0o640 && status.st_mtim.tv_sec == 2_000 && status.st_size == 3_000_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place / "to") == ["a.jpg"])
        try place.write("to/a.jpg", [1])
        let undone = files.undo(first.changes)
        #expect(undone.failures.first?.reason == "the file there is another one now" && exists("to/a.jpg"))
        let second = files.perform(.copy(into: place / "to"), on: [path])
        #expect(files.undo(second.changes).failures.isEmpty && !exists("to/a-2.jpg"))
    }

    @Test func `a link is moved itself; what it leads to is copied`() throws {
        try place.write("real.jpg", [9])
        symlink("real.jpg", place / "link.jpg")
        #expect(files.perform(.copy(into: place / "to"), on: [place / "link.jpg"]).failures.isEmpty)
        #expect(FileStep.status(place / "to/link.jpg", followsLink: false)?.st_size == 1)
        #expect(files.perform(.move(into: place / "moved"), on: [place / "link.jpg"]).failures.isEmpty)
        #expect(FileStep.status(place / "moved/link.jpg", followsLink: false).map { $0.st_mode & S_IFMT } == S_IFLNK)
        #expect(exists("real.jpg"))
    }

    // MARK: - Faults

    @Test func `undo removes a copy only while its original is there, and leaves other files alone`() throws {
        let path = try place.write("a.jpg", [1])
        let copied = files.perform(.copy(into: place / "to"), on: [path])
        #expect(unlink(path) == 0)
        #expect(files.undo(copied.changes).failures.first?.reason == "the original is gone, so the copy stays")
        #expect(exists("to/a.jpg"))

        let other = try place.write("b.jpg", [2])
        let trashed = files.perform(.trash, on: [other])
        try FileManager.default.removeItem(atPath: place / "home/Trash/files/b.jpg")
        try place.write("home/Trash/files/b.jpg", [3])
        #expect(files.undo(trashed.changes).failures.count == 1 && !exists("b.jpg"))
    }

    @Test func `a folder made for files that did not come goes again, and none is left of a path that fails`() throws {
        let outcome = files.perform(.move(into: place / "new/er"), on: [place / "gone.jpg"])
        #expect(outcome.changes.isEmpty && outcome.failures.count == 1 && !exists("new"))
        #expect(files.perform(.makeFolder(place / "a//b/./c//"), on: []).changes.count == 3 && exists("a/b/c"))
        try place.write("file")
        #expect(files.perform(.makeFolder(place / "x/../file/y"), on: []).failures.count == 1)
        #expect(!exists("x"))
    }

    @Test func `a name that begins with a combining mark is a name`() throws {
        let path = try place.write("dir/\u{301}a.jpg", [1])
        let outcome = files.perform(.trash, on: [path])
        #expect(outcome.failures.isEmpty && exists("home/Trash/files/\u{301}a.jpg"))
        let plain = try place.write("dir/b.jpg", [1])
        #expect(files.perform(.rename(to: "x/\u{301}b.jpg"), on: [plain]).failures.count == 1)
    }

    @Test func `what could not be taken back can be tried again`() async throws {
        let history = FileHistory(home: place / "home", dataHome: nil)
        let path = try place.write("a.jpg", [1])
        let done = await history.perform(.rename(to: "b.jpg"), on: [path]) { _ in }
        #expect(done.notice == "a.jpg renamed to b.jpg · U takes it back")
        try place.write("a.jpg", [2])
        #expect(await history.undo().notice == "not undone: b.jpg: the name is taken")
        #expect(unlink(path) == 0)
        #expect(await history.undo().notice == "undone: a.jpg renamed to b.jpg")
        #expect(await history.undo().notice == "nothing to take back")
    }

    @Test(arguments: [FileOperation.trash, .rename(to: "b"), .move(into: "/to")])
    func `a folder is changed as a whole, and back`(operation: FileOperation) throws {
        let folder = place / "folder"
        mkdir(folder, 0o700)
        try place.write("folder/a.jpg", [1])
        let outcome = files.perform(operation.mapFolder { place.path + $0 }, on: [folder])
        #expect(outcome.failures.isEmpty && !exists("folder/a.jpg"))
        #expect(files.undo(outcome.changes).failures.isEmpty && exists("folder/a.jpg"))
    }

    @Test func `a folder is neither copied nor deleted, and goes into no folder of its own`() throws {
        mkdir(place / "folder", 0o700)
        for operation in [FileOperation.delete, .copy(into: place / "to"), .move(into: place / "folder/in")] {
            #expect(files.perform(operation, on: [place / "folder"]).failures.count == 1)
        }
        #expect(exists("folder"))
    }

    @Test func `files that vanish and pipes fail alone, and the others are moved`() throws {
        let good = try place.write("good.jpg", [1])
        mkfifo(place / "pipe", 0o600)
        let outcome = files.perform(.move(into: place / "to"), on: [place / "gone.jpg", good])
        #expect(outcome.failures.map(\.path) == [place / "gone.jpg"])
        #expect(exists("to/good.jpg"))
        #expect(files.perform(.copy(into: place / "to"), on: [place / "pipe"]).failures.count == 1)
    }

    @Test func `undo does not replace a file that came since`() throws {
        let path = try place.write("a.jpg", [1])
        let outcome = files.perform(.trash, on: [path])
        try place.write("a.jpg", [2])
        #expect(files.undo(outcome.changes).failures.count == 1)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([2]))
        #expect(exists("home/Trash/files/a.jpg") && exists("home/Trash/info/a.jpg.trashinfo"))
    }

    @Test func `a move that is stopped leaves the rest as it is`() throws {
        let paths = try (0..<5).map { try place.write("\($0).jpg", [1]) }
        let outcome = files.perform(.move(into: place / "to"), on: paths) { $0 < 2 }
        #expect(outcome.changes.filter { $0.kind == .moved }.count == 2 && exists("2.jpg"))
    }

    @Test func `a move to another file system copies, and removes the original last`() throws {
        let device = FileStep.status(place.path)?.st_dev
        let top = try #require(["/dev/shm", "/var/tmp", "/run"].first { FileStep.status($0)?.st_dev != device })
        let other = try TemporaryFolder(in: URL(filePath: top))
        let path = try place.write("a.jpg", Array(repeating: 3, count: 100_000))
        let outcome = files.perform(.move(into: other.path), on: [path])
        #expect(outcome.failures.isEmpty && !exists("a.jpg"))
        #expect(FileStep.status(other / "a.jpg")?.st_size == 100_000)
        // Its trash is at the top of its own file system.
        let trashed = files.perform(.trash, on: [other / "a.jpg"])
        #expect(trashed.changes.first?.to.contains("/.Trash") == true)
        #expect(trashed.changes.first?.to.hasPrefix(place.path) == false)
        #expect(files.undo(trashed.changes).failures.isEmpty && files.undo(outcome.changes).failures.isEmpty)
        #expect(FileStep.status(path)?.st_size == 100_000)
    }

    // MARK: - Taken names

    private func bytes(_ name: String) -> [UInt8]? { try? Array(Data(contentsOf: URL(filePath: place / name))) }

    @Test func `a taken name is skipped, numbered or replaced as the answer says, and all of it is undone`() throws {
        let paths = try ["a.jpg", "b.jpg", "c.jpg"].map { try place.write($0, [1]) }
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try place.write("to/" + name, [2]) }
        let answers = [paths[0]: ConflictAnswer.skip, paths[1]: .keepBoth, paths[2]: .replace]
        let outcome = files.perform(.move(into: place / "to"), on: paths, answers: answers)
        #expect(outcome.failures.isEmpty && outcome.skippedCount == 1)
        #expect(exists("a.jpg") && bytes("to/a.jpg") == [2])
        #expect(bytes("to/b.jpg") == [2] && bytes("to/b-2.jpg") == [1])
        #expect(bytes("to/c.jpg") == [1] && bytes("home/Trash/files/c.jpg") == [2])
        #expect(files.undo(outcome.changes).failures.isEmpty)
        #expect(bytes("c.jpg") == [1] && bytes("to/c.jpg") == [2] && !exists("to/b-2.jpg"))
    }

    @Test func `what was to be replaced is back if the file cannot come, and a file never replaces itself`() throws {
        let link = place / "to/b.jpg"
        let path = try place.write("b.jpg", [1])
        try place.write("to/x", [0])
        symlink(path, link)
        let itself = files.perform(.copy(into: place / "to"), on: [path], answers: [path: .replace])
        #expect(itself.failures.count == 1 && bytes("b.jpg") == [1] && exists("to/b.jpg"))
        mkfifo(place / "c.jpg", 0o600)
        try place.write("to/c.jpg", [2])
        let refused = files.perform(
            .copy(into: place / "to"), on: [place / "c.jpg"], answers: [place / "c.jpg": .replace])
        #expect(refused.failures.count == 1 && bytes("to/c.jpg") == [2] && !exists("home/Trash/files/c.jpg"))
    }

    @Test func `a plan names the sizes and the names that are taken, and changes nothing`() throws {
        let paths = try ["a.jpg", "b.jpg", "c.jpg"].map { try place.write($0, [1, 2, 3]) }
        try place.write("to/a.jpg", [1, 2, 3])
        try place.write("to/b.jpg", [1, 2, 4])
        let plan = FilePlan(.copy(into: place / "to"), on: paths + [place / "gone.jpg"])
        #expect(plan.files.map(\.bytes) == [3, 3, 3])
        #expect(plan.conflicts.map(\.new.path) == Array(paths.prefix(2)))
        #expect(plan.conflicts.map(\.isEqual) == [true, false])
        #expect(bytes("to/b.jpg") == [1, 2, 4])
    }

    // MARK: - Deletion

    @Test func `a deleted file is gone, and undo takes back what was before it`() async throws {
        let history = FileHistory(home: place / "home", dataHome: nil)
        let paths = [try place.write("a.jpg", [1]), try place.write("b.jpg", [1])]
        _ = await history.perform(.rename(to: "c.jpg"), on: [paths[1]]) { _ in }
        let done = await history.perform(.delete, on: [paths[0]]) { _ in }
        #expect(done.notice == "a.jpg deleted for good" && !exists("a.jpg"))
        #expect(await history.undo().notice == "undone: b.jpg renamed to c.jpg")
    }

    // MARK: - Many names

    @Test func `names move in a row, swap and go round in a circle, and come back`() throws {
        let paths = try (1...5).map { try place.write("\($0).jpg", [UInt8($0)]) }
        // 1 and 2 swap, 3 takes the name of 4, 4 a new one; 5 stays.
        let names = ["2.jpg", "1.jpg", "4.jpg", "new.jpg"]
        let outcome = files.perform(.renameAll(to: names), on: Array(paths.prefix(4)))
        #expect(outcome.failures.isEmpty)
        #expect(["1", "2", "4", "new", "5"].map { bytes($0 + ".jpg") } == [[2], [1], [3], [4], [5]])
        #expect(!exists("3.jpg"))
        #expect(files.undo(outcome.changes).failures.isEmpty)
        #expect((1...5).allSatisfy { bytes("\($0).jpg") == [UInt8($0)] } && !exists("new.jpg"))
    }

    @Test func `if one of many names cannot be given, all stay`() throws {
        let paths = try (1...3).map { try place.write("\($0).jpg", [UInt8($0)]) }
        try place.write("taken.jpg", [9])
        let outcome = files.perform(.renameAll(to: ["2.jpg", "1.jpg", "taken.jpg"]), on: paths)
        #expect(outcome.changes.isEmpty && outcome.failures.count == 1)
        #expect((1...3).allSatisfy { bytes("\($0).jpg") == [UInt8($0)] })
    }

    @Test func `a plan of names finds those given twice, taken or unusable, also behind each other`() {
        let paths = ["/p/a", "/p/b", "/p/c", "/p/d", "/p/e"]
        let plan = RenamePlan(paths, to: ["x", "x", "a", "d", "c"]) {
            ["/p/a", "/p/b", "/p/c", "/p/d", "/p/e"].contains($0)
        }
        // a and b both want x, so a stays, so c cannot have its name, so e cannot have that of c.
        #expect(plan.rows.map(\.problem) == ["given twice", "given twice", "taken", nil, "taken"])
        #expect(plan.changes.isEmpty)
        #expect(RenamePlan(["/p/a"], to: ["x/y"]) { _ in false }.rows[0].problem == "not a name")
    }

    // MARK: - Copies

    @Test func `a copy keeps extended attributes, and old parts of killed copies go`() throws {
        let path = try place.write("a.jpg", [1])
        let hasAttributes = setxattr(path, "user.tag", "red", 3, 0) == 0
        try place.write("to/.alcedo-999999999-0", [0])
        try place.write("to/.alcedo-\(getpid())-0", [0])
        try place.write("to/.alcedo-999999998-0", [0])
        for name in ["999999999", "\(getpid())"] {
            let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, place / "to/.alcedo-\(name)-0", times, 0) == 0)
        }
        #expect(files.perform(.copy(into: place / "to"), on: [path]).failures.isEmpty)
        var value = [UInt8](repeating: 0, count: 8)
        #expect(getxattr(place / "to/a.jpg", "user.tag", &value, 8) == (hasAttributes ? 3 : -1))
        #expect(!exists("to/.alcedo-999999999-0"))
        #expect(exists("to/.alcedo-\(getpid())-0") && exists("to/.alcedo-999999998-0"))
    }

    @Test(arguments: [FileOperation.copy(into: "/to"), .turn(by: [.turnedRight])])
    func `the part of a copy that a killed process of this machine left goes with the next one`(
        operation: FileOperation
    ) throws {
        let path = try place.write("to/a.jpg", [1])
        for process in [999_999_999, Int(getpid())] {
            try place.write("to/.alcedo-\(process)-0-\(FileStep.machine)", [0])
        }
        try place.write("to/.alcedo-999999999-0-another", [0])
        _ = files.perform(operation.mapFolder { place.path + $0 }, on: [path])
        #expect(!exists("to/.alcedo-999999999-0-\(FileStep.machine)"))
        #expect(exists("to/.alcedo-\(getpid())-0-\(FileStep.machine)") && exists("to/.alcedo-999999999-0-another"))
    }

    @Test func `a copy that is under way when the program ends leaves nothing`() throws {
        let path = try place.write("a.jpg", [UInt8](repeating: 7, count: 3 << 20))
        let looks = Mutex(0)
        let outcome = files.perform(
            .copy(into: place / "to"), on: [path],
            copying: { _ in
                looks.withLock { looks in
                    looks += 1
                    return looks <= 2
                }
            })
        #expect(outcome.failures.map(\.reason) == ["it was stopped"] && looks.withLock(\.self) == 3)
        #expect(exists("a.jpg") && !exists("to"))
    }

    @Test func `an undo tells how far it is, can be stopped, and goes on later`() async throws {
        let time = Mutex(ContinuousClock.now)
        let history = FileHistory(home: place / "home", dataHome: nil) {
            time.withLock { time in
                time += .seconds(1)
                return time
            }
        }
        let paths = try (1...4).map { try place.write("\($0).jpg", [UInt8($0)]) }
        _ = await history.perform(.move(into: place / "to"), on: paths) { _ in }
        let counts = Mutex<[String]>([])
        let stopped = await history.undo { text in
            counts.withLock { $0.append(text) }
            if text.hasPrefix("2") { history.stopRunning() }
        }
        #expect(counts.withLock(\.self) == ["1 of 4 files back", "2 of 4 files back"])
        #expect(stopped.notice.hasPrefix("stopped: 2 left"))
        #expect(exists("4.jpg") && exists("3.jpg") && !exists("2.jpg"))
        _ = await history.undo()
        #expect((1...4).allSatisfy { exists("\($0).jpg") } && !exists("to"))
        #expect(await history.undo().notice == "nothing to take back")
    }

    @Test(arguments: [
        (1, ["50 % of 1 file", "1 of 1 file"]),
        (2, ["0 of 2 files, 50 % of the next", "1 of 2 files", "1 of 2 files, 50 % of the next", "2 of 2 files"]),
    ])
    func `a copy tells how far it is within a file, twice a second`(count: Int, texts: [String]) async throws {
        let time = Mutex(ContinuousClock.now)
        let reports = Mutex<[String]>([])
        // A quarter of a second passes with each look at the clock; a report looks twice.
        let history = FileHistory(home: place / "home", dataHome: nil) {
            time.withLock { time in
                time += .milliseconds(250)
                return time
            }
        }
        let paths = try (0..<count).map { try place.write("\($0).jpg", [UInt8](repeating: 7, count: 2 << 20)) }
        _ = await history.perform(.copy(into: place / "to"), on: paths) { text in
            reports.withLock { $0.append(text) }
        }
        #expect(reports.withLock(\.self) == texts)
    }

    @Test func `a file that was written where another one was is put away by undo, which brings the other one back`()
        async throws
    {
        let history = FileHistory(home: place / "home", dataHome: nil)
        let (path, other) = (try place.write("a.jpg", [1]), try place.write("b.jpg", [3]))
        _ = await history.perform(.rename(to: "c.jpg"), on: [other]) { _ in }
        _ = await history.perform(.trash, on: [path]) { _ in }
        try place.write("a.jpg", [2])
        await history.wrote(path)
        #expect(await history.undo().notice == "undone: a.jpg replaced · U next: b.jpg renamed to c.jpg")
        #expect(bytes("a.jpg") == [1])
        #expect(await history.undo().notice == "undone: b.jpg renamed to c.jpg" && exists("b.jpg"))
    }

    @Test func `an operation that cannot be taken back makes way for those before it`() async throws {
        let history = FileHistory(home: place / "home", dataHome: nil)
        let paths = [try place.write("a.jpg", [1]), try place.write("b.jpg", [2])]
        _ = await history.perform(.rename(to: "c.jpg"), on: [paths[1]]) { _ in }
        _ = await history.perform(.trash, on: [paths[0]]) { _ in }
        // Someone else's file is not put away.
        try place.write("a.jpg", [9])
        let text = await history.undo().notice
        #expect(text == "not undone: a.jpg: the name is taken · U next: b.jpg renamed to c.jpg")
        #expect(await history.undo().notice.hasPrefix("undone: b.jpg renamed to c.jpg") && bytes("a.jpg") == [9])
        #expect(unlink(paths[0]) == 0)
        #expect(await history.undo().notice == "undone: a.jpg to the trash" && bytes("a.jpg") == [1])
    }

    @Test func `files are copied and brought back outside the threads that tasks share`() async throws {
        let history = FileHistory(home: place / "home", dataHome: nil) {
            dispatchPrecondition(condition: .onQueue(FileHistory.queue))
            return ContinuousClock.now
        }
        let path = try place.write("1.jpg", [1])
        #expect(await history.perform(.move(into: place / "to"), on: [path]) { _ in }.outcome.failures.isEmpty)
        #expect(await history.undo().outcome.failures.isEmpty)
    }

    @Test func `a file with another name is not turned, and names that cannot be are refused`() throws {
        let path = try place.write("a.jpg", [0xFF, 0xD8, 0xFF, 0xD9])
        #expect(link(path, place / "b.jpg") == 0)
        let outcome = files.perform(.turn(by: [.turnedRight]), on: [path])
        #expect(outcome.failures.first?.reason.contains("hard link") == true)
        for name in ["n\0ul.jpg", String(repeating: "x", count: 256)] {
            #expect(files.perform(.rename(to: name), on: [path]).failures.count == 1)
            #expect(RenamePlan([path], to: [name]).rows[0].problem == "not a name")
        }
    }
}
