import Foundation
import Glibc
import TestSupport
import Testing

@testable import AlcedoDiskCache

@Suite(.timeLimit(.minutes(1)))
struct CacheFolderTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func problem(at path: String) -> CacheFolderProblem? {
        do throws(CacheFolderProblem) {
            try CacheFolder(path: path).prepare(allowNetworkFileSystem: true)
            return nil
        } catch {
            return error
        }
    }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test(arguments: [
        (["ALCEDO_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"], "/a"),
        (["XDG_CACHE_HOME": "/b", "HOME": "/c"], "/b/alcedo"),
        (["ALCEDO_CACHE_DIR": "", "HOME": "/c"], "/c/.cache/alcedo"),
        (["XDG_CACHE_HOME": "relative", "HOME": "/c"], "/c/.cache/alcedo"),
    ])
    func `the environment decides the folder`(environment: [String: String], path: String) throws {
        #expect(try CacheFolder.ofAlcedo(environment: environment).path == path)
    }

    @Test func `each application has its own folder`() throws {
        let environment = ["ALCEDO_CACHE_DIR": "/a", "HOME": "/c"]
        #expect(try CacheFolder.standard(environment: environment, application: "viewer").path == "/c/.cache/viewer")
        let own = try CacheFolder.standard(environment: environment)
        #expect(own.path == "/c/.cache/\(ProcessInfo.processInfo.processName)")
        #expect(throws: CacheFolderProblem.invalidName("../x")) {
            try CacheFolder.standard(environment: environment, application: "../x")
        }
    }

    @Test func `without a home folder there is no cache folder`() {
        #expect(throws: CacheFolderProblem.noHome) { try CacheFolder.ofAlcedo(environment: [:]) }
        #expect(throws: CacheFolderProblem.noHome) { try CacheFolder.ofAlcedo(environment: ["HOME": "here"]) }
    }

    @Test func `a relative ALCEDO_CACHE_DIR is refused with its name`() {
        #expect(throws: CacheFolderProblem.relative("cache")) {
            try CacheFolder.ofAlcedo(environment: ["ALCEDO_CACHE_DIR": "cache", "HOME": "/c"])
        }
    }

    @Test func `missing folders are created with mode 0700 and a CACHEDIR.TAG`() throws {
        let path = place / "a/b/cache"
        #expect(problem(at: path) == nil)
        for folder in [path, path + "/v3", path + "/v3/blobs"] { #expect(mode(folder) == 0o700) }
        #expect(mode(path + "/CACHEDIR.TAG") == 0o600)
        let tag = try String(contentsOfFile: path + "/CACHEDIR.TAG", encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    @Test(arguments: [
        "", ".", "..", "../x", "a/b", "/", ".hidden", "a\u{0}", "a\nb", String(repeating: "x", count: 65),
    ])
    func `an invalid folder name is refused`(name: String) {
        #expect(throws: CacheFolderProblem.invalidName(name)) { try CacheFolder(path: place / "cache").named(name) }
    }

    @Test(arguments: ["avatars", "Große Bilder", "v1", "named", "a..b", String(repeating: "x", count: 64)])
    func `a named folder and its parents are accessible only to the owner`(name: String) throws {
        let folder = try CacheFolder(path: place / "cache").named(name)
        try folder.prepare(allowNetworkFileSystem: true)
        #expect(folder.path == place / "cache/named/\(name)")
        for path in ["cache", "cache/named", "cache/named/\(name)/v3"] { #expect(mode(place / path) == 0o700) }
    }

    @Test func `a named folder below a folder writable by others is refused`() throws {
        mkdir(place / "cache", 0o777)
        chmod(place / "cache", 0o777)
        let folder = try CacheFolder(path: place / "cache").named("a")
        #expect(throws: CacheFolderProblem.writableByOthers(place / "cache")) {
            try folder.prepare(allowNetworkFileSystem: true)
        }
    }

    @Test func `preparing a folder twice succeeds`() {
        #expect(problem(at: place / "cache") == nil)
        #expect(problem(at: place / "cache") == nil)
    }

    @Test func `a file in place of the folder is refused`() throws {
        try Data().write(to: URL(filePath: place / "cache"))
        #expect(problem(at: place / "cache") == .notAFolder(place / "cache"))
    }

    @Test func `a file in place of a parent folder is refused`() throws {
        try Data().write(to: URL(filePath: place / "file"))
        guard case .cannotMake = problem(at: place / "file/cache") else {
            Issue.record("a folder below a file cannot be made")
            return
        }
    }

    @Test func `a symbolic link is not followed`() throws {
        let target = try TemporaryFolder()
        symlink(target.path, place / "cache")
        #expect(problem(at: place / "cache") == .notAFolder(place / "cache"))
    }

    @Test(arguments: [0o770, 0o702, 0o777] as [mode_t])
    func `a folder writable by others is refused`(mode: mode_t) {
        mkdir(place / "cache", 0o700)
        chmod(place / "cache", mode)
        #expect(problem(at: place / "cache") == .writableByOthers(place / "cache"))
    }

    @Test func `a folder of another user is refused`() {
        // The superuser can give a folder away; everyone else finds one that is the superuser's.
        let path = geteuid() == 0 ? place / "cache" : "/usr"
        mkdir(path, 0o700)
        chown(path, 12_345, 12_345)
        #expect(problem(at: path) == .foreign(path))
    }

    @Test func `a path that is not writable is refused`() {
        guard case .cannotMake = problem(at: "/proc/alcedo/cache") else {
            Issue.record("nobody can make folders in /proc")
            return
        }
    }

    @Test func `each error text names the folder or the remedy`() {
        let problems: [CacheFolderProblem] = [
            .invalidName("../x"),
            .relative("/x"), .cannotMake(path: "/x", reason: "r"), .cannotWrite(path: "/x", reason: "r"),
            .notAFolder("/x"), .foreign("/x"), .writableByOthers("/x"), .networkFileSystem(path: "/x", name: "nfs"),
            .index(path: "/x", reason: "r"),
        ]
        for problem in problems { #expect(problem.description.contains("/x")) }
        #expect(CacheFolderProblem.noHome.description.contains("ALCEDO_CACHE_DIR"))
    }
}
