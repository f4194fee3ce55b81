import FaultServer
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct BadInputTests {
    @Test func `an empty list succeeds and fetches nothing`() async throws {
        let place = try Workplace()
        let list = try place.write("", to: "empty.txt")

        let result = try await place.run("prefetch", list, "--json")

        #expect(result.code == 0)
        #expect(try result.objects().compactMap { $0["type"] } == ["start", "summary"])
    }

    @Test func `a list of comments alone succeeds`() async throws {
        let place = try Workplace()
        let list = try place.write("# one\n\n   \n# two", to: "comments.txt")

        let result = try await place.run("prefetch", list)

        #expect(result.code == 0)
    }

    @Test(arguments: ["nothing.txt", "dangling", "list.txt/under-a-file"])
    func `an unreadable list is an error with its name and exit code 1`(name: String) async throws {
        let place = try Workplace()
        try place.write("", to: "list.txt")
        symlink("nowhere", place.path("dangling"))

        let result = try await place.run("prefetch", name, "--retries", "0")

        #expect(result.code == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(name))
        expectSafe(result.errors)
    }

    @Test func `a list of binary data is refused as binary`() async throws {
        let place = try Workplace()
        let garbage = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 256) })
        let list = try place.write(garbage, to: "garbage")

        let result = try await place.run("prefetch", list)

        #expect(result.code == 1)
        #expect(result.errors.contains("binary"))
        expectSafe(result.errors)
    }

    @Test func `a missing list is reported with exit code 3 and the other list is fetched`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let list = try place.write(server.url("/a.webp"), to: "list.txt")

        let result = try await place.run("prefetch", "nothing.txt", list, "--json")
        await server.stop()

        #expect(result.code == 3)
        #expect(try result.objects("rejected").first?["reason"]?.contains("nothing.txt") == true)
        #expect(try result.objects("item").map { $0["status"] } == ["fetched"])
    }

    @Test func `a failed list that cannot be written stops the run at its start`() async throws {
        let place = try Workplace()
        let list = try place.write("/nowhere.png\n", to: "list.txt")

        let result = try await place.run("prefetch", list, "--failed", place.path("no/such/folder.txt"))

        #expect(result.code == 1)
        #expect(result.errors.contains("no/such/folder.txt"))
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func `an overlong line is rejected and the next line is read`() async throws {
        let place = try Workplace()
        let server = try await FaultServer.start(["/a.webp": .picture(try Pictures.bytes())])
        let endless = "http://host/" + String(repeating: "a", count: 4 << 20)
        let list = try place.write("\(endless)\n\(server.url("/a.webp"))\n", to: "list.txt")

        let result = try await place.run("prefetch", list, "--json")
        await server.stop()

        #expect(result.code == 0)
        #expect(try result.objects("rejected").map { $0.number("line") } == [1])
        #expect(try result.objects("item").map { $0["status"] } == ["fetched"])
        #expect(result.bytes.count < 1 << 20)
    }
}
