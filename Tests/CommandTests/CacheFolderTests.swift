import FaultServer
import Foundation
import TestSupport
import Testing

/// Places where a cache cannot be, or not for long.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CacheFolderTests {
    @Test func `without a home folder ALCEDO_CACHE_DIR is suggested`() async throws {
        let environment: [String: String?] = ["HOME": nil, "ALCEDO_CACHE_DIR": nil]

        let result = try await Workplace().run("cache", "stats", environment: environment)

        #expect(result.code == 1)
        #expect(result.errors.contains("ALCEDO_CACHE_DIR"))
        #expect(result.output.isEmpty)
    }

    @Test func `the default cache folder is under the home folder`() async throws {
        let place = try Workplace()

        let result = try await place.run("cache", "dir", environment: ["ALCEDO_CACHE_DIR": nil])

        #expect(result.code == 0)
        #expect(result.output == place.path("home/.cache/alcedo") + "\n")
    }

    @Test func `XDG_CACHE_HOME overrides the home folder`() async throws {
        let place = try Workplace()

        let result = try await place.run(
            "cache", "dir", environment: ["ALCEDO_CACHE_DIR": nil, "XDG_CACHE_HOME": "/somewhere"])

        #expect(result.output == "/somewhere/alcedo\n")
    }

    @Test(arguments: ["relative/cache", "/proc/alcedo-cache", "/dev/null"])
    func `a path that cannot hold a cache is refused with its name`(path: String) async throws {
        let result = try await Workplace().run("cache", "stats", environment: ["ALCEDO_CACHE_DIR": path])

        #expect(result.code == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("alcedo: ") && result.errors.contains(path))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func `a folder writable by others is refused with the command to fix it`() async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("cache"), withIntermediateDirectories: false)
        chmod(place.path("cache"), 0o777)

        let result = try await place.run("prefetch", "/nowhere.png")

        #expect(result.code == 1)
        #expect(result.errors.contains("chmod go-w"))
    }

    @Test func `a symbolic link in place of the folder is not followed`() async throws {
        let place = try Workplace()
        symlink(place.path("home"), place.path("cache"))

        let result = try await place.run("cache", "stats")

        #expect(result.code == 1)
        #expect(result.errors.contains("not a folder"))
    }

    @Test func `a read-only file system is refused by prefetch`() async throws {
        let place = try Workplace()
        let mounted = try MountedFolder(at: place.path("mount"), options: "size=64k,ro")
        // Where nobody may mount, /proc takes no folders either.
        let folder = mounted.map { $0.path + "/cache" } ?? "/proc/alcedo-cache"

        let result = try await place.run("prefetch", "/nowhere.png", environment: ["ALCEDO_CACHE_DIR": folder])

        #expect(result.code == 1)
        #expect(result.errors.contains(folder))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func `show continues without a cache and warns once`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])

        let result = try await place.run(
            "show", "--format", "ppm", "--size", "40x40", server.url("/a.webp"),
            environment: ["ALCEDO_CACHE_DIR": "/dev/null"])
        await server.stop()

        #expect(result.code == 0)
        #expect(result.bytes.starts(with: Array("P6\n".utf8)))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func `a read-only cache can be read, and a full one can be cleared`() async throws {
        // Where nobody may mount, this cannot be tried; a gibibyte stays free of what the cache takes.
        let place = try Workplace()
        guard let mounted = try MountedFolder(at: place.path("mount"), options: "size=1200m") else { return }
        let environment = ["ALCEDO_CACHE_DIR": mounted.path + "/cache"]
        let names = ["coral.jpg", "volcano.jpg", "basalt-columns.png", "plumage.jpg", "kelp.jpg"]
        let server = try await FaultServer.start(
            Dictionary(uniqueKeysWithValues: try names.map { ("/\($0)", .picture(try Pictures.bytes($0))) }))
        let addresses = names.map { server.url("/\($0)") }
        for address in addresses { _ = try await place.run("prefetch", address, environment: environment) }
        await server.stop()
        let address = try #require(addresses.last)
        let run = { (preparation: String, arguments: [String]) in
            let script = "\(preparation) > /dev/null 2>&1; exec \"$0\" \"$@\""
            return try await place.start(arguments, shell: script, environment: environment).end()
        }

        let readOnly = "mount -o remount,ro \(mounted.path)"
        let listing = try await run(readOnly, ["cache", "ls", "--json"])
        let shown = try await run(readOnly, ["show", "--format", "ppm", "--size", "40x40", address])
        let refused = try await run(readOnly, ["cache", "clear", "--yes"])
        let full = "mount -o remount,rw \(mounted.path); dd if=/dev/zero of=\(mounted.path)/fill bs=1M"
        let fullListing = try await run(full, ["cache", "ls", "--json"])
        // The index needs a little room to record a removal, whether the process before closed it or not.
        let spare = "truncate -s -512K \(mounted.path)/fill"
        let removed = try await run(spare, ["cache", "rm", "key:\(address)", "--yes"])
        let filled = "dd if=/dev/zero of=\(mounted.path)/more bs=4k"
        let cleared = try await run(filled, ["cache", "clear", "--yes"])
        let empty = try await run("true", ["cache", "ls", "--json"])

        #expect(try listing.objects().count == 5)
        #expect(shown.code == 0 && shown.bytes.starts(with: Array("P6\n".utf8)), "\(shown.errors)")
        #expect(refused.code == 1 && refused.errors.contains("Read-only"))
        #expect(try fullListing.objects().count == 5)
        #expect(removed.code == 0 && removed.output.hasPrefix("Removed 1 entry"), "\(removed.output)\(removed.errors)")
        #expect(cleared.code == 0 && empty.code == 0, "\(cleared.errors)")
        #expect(try empty.objects().isEmpty)
    }

    @Test(arguments: [64, 700])
    func `on a full file system only stored pictures count as fetched`(kilobytes: Int) async throws {
        let place = try Workplace()
        let mounted = try MountedFolder(at: place.path("mount"), options: "size=\(kilobytes)k")
        let names = ["coral.jpg", "volcano.jpg", "basalt-columns.png", "plumage.jpg", "kelp.jpg"]
        let server = try await FaultServer.start(
            Dictionary(uniqueKeysWithValues: try names.map { ("/\($0)", .picture(try Pictures.bytes($0))) }))
        let list = try place.write(names.map { server.url("/\($0)") }.joined(separator: "\n"), to: "list.txt")
        let environment = ["ALCEDO_CACHE_DIR": place.path("mount/cache")]
        // Where nobody may mount, a limit on the size of files stands in for the full file system.
        let script = mounted == nil ? "ulimit -f \(kilobytes / 4); exec \"$0\" \"$@\"" : "exec \"$0\" \"$@\""

        let run = try await place.start(["prefetch", list, "--json"], shell: script, environment: environment).end()
        let listing = try await place.start(["cache", "ls", "--json"], shell: script, environment: environment).end()
        await server.stop()

        #expect(run.code >= 0 && listing.code >= 0)
        for entry in try listing.objects() {
            let name = try #require(entry["url"]?.split(separator: "/").last)
            #expect(try entry.number("bytes") == Pictures.bytes(String(name)).count)
        }
        let fetched = try run.objects("summary").first?.number("fetched") ?? 0
        #expect(try fetched == listing.objects().count)
        #expect(fetched < names.count && run.code != 0)
    }
}
