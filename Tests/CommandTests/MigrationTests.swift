import FaultServer
import Foundation
import ImageLoading
import Synchronization
import TestSupport
import Testing

/// The libraries as `Examples/Migration` uses them: each row of the audit's table once.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MigrationTests {
    @Test func `each capability of Kingfisher, SwiftRetrier and ExponentialBackOff works in the migration example`()
        async throws
    {
        let place = try Workplace()
        let server = try await MigrationServer.start()
        let result = try await RunningProgram(
            executable: BuiltProgram.url("MigrationExample"), arguments: [server.url(""), place.path("work")],
            environment: place.environment, place: place, input: ""
        ).end()
        await server.stop()
        let rows = result.output.split(separator: "\n").dropLast()
        for row in rows where !row.contains(" ok: ") { Issue.record("\(row)") }
        let numbers = rows.compactMap { $0.split(separator: " ").first.map(String.init) }
        let expected = [("A", 99), ("B", 37), ("C", 38), ("D", 22)].flatMap { letter, count in
            (1...count).map { "\(letter)\($0)" }
        }
        #expect(numbers == expected)
        #expect(result.code == 0, "\(result.errors)")
    }
}

/// The server that the example's rows expect.
private enum MigrationServer {
    static func start() async throws -> FaultServer {
        let pixels = Pictures.make(300, 200) { x, y in
            Color(red: UInt8(x % 256), green: UInt8(y), blue: UInt8((x + y) % 256))
        }
        let picture = [UInt8](try pixels.pngData())
        let photo = try Pictures.bytes("volcano.jpg")
        let animation = try Pictures.bytes("harbour.gif")
        let counts = Mutex<[String: Int]>([:])
        return try await FaultServer.start { request, turn in
            if request.path.hasPrefix("/count/") {
                let count = counts.withLock { $0[String(request.path.dropFirst(6)), default: 0] }
                return .respond(headers: [("Content-Type", "text/plain")], body: Array("\(count)".utf8))
            }
            counts.withLock { $0[request.path, default: 0] += 1 }
            switch request.path.split(separator: "/").first {
            case "pic": return .picture(picture)
            case "photo.jpg": return .picture(photo, type: "image/jpeg")
            case "anim.gif": return .picture(animation, type: "image/gif")
            case "busy": return turn == 0 ? .status(503) : .picture(picture)
            case "down": return .status(503)
            case "redirect":
                let target = request.path.replacingOccurrences(of: "/redirect/", with: "/pic/")
                return .status(302, headers: [("Location", target)])
            case "auth":
                if !request.values(of: "authorization").isEmpty { return .picture(picture) }
                return .status(401, headers: [("WWW-Authenticate", "Basic realm=\"pictures\"")])
            case "header": return request.values(of: "x-key") == ["k"] ? .picture(picture) : .status(403)
            case "slow": return slow(picture)
            case "drip": return drip(picture)
            default: return .status(404)
            }
        }
    }

    private static func head(_ body: [UInt8]) -> FaultStep {
        .send(FaultScript.head(200, [("Content-Type", "image/png"), ("Content-Length", "\(body.count)")]))
    }

    private static func slow(_ body: [UInt8]) -> FaultScript {
        FaultScript([head(body), .send(Array(body.prefix(body.count / 3))), .stall])
    }

    /// Sends ten pieces with 20 ms between them.
    private static func drip(_ body: [UInt8]) -> FaultScript {
        let length = body.count / 10 + 1
        let pieces = stride(from: 0, to: body.count, by: length).flatMap { start -> [FaultStep] in
            let piece = body[start..<min(start + length, body.count)]
            return [.send(Array(piece.dropLast())), .drip(Array(piece.suffix(1)), every: .milliseconds(20))]
        }
        return FaultScript([head(body)] + pieces)
    }
}
