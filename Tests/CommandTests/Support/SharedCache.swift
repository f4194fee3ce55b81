import FaultServer
import Foundation
import Glibc
import TestSupport

/// squid or nginx as `docs/shared-cache` sets them up, but for ports, folders and the host behind; ended with it.
final class SharedCache: Sendable {
    let port: Int
    private let folder: URL
    private let process: Process
    private let end: Int32

    private init(
        _ program: String, _ arguments: [String], folder: URL, port: Int, endedBy end: Int32
    ) throws {
        self.port = port
        self.end = end
        self.folder = folder
        process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        kill(process.processIdentifier, end)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The requests that were answered, one a line.
    var log: String { (try? String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)) ?? "" }

    /// A proxy.
    static func squid() async throws -> SharedCache {
        let (folder, port) = (try place(), try FreePort.find())
        let path = folder.path
        let file = try configuration(
            "squid.conf", in: folder,
            replacing: [
                "http_port 3128": "http_port 127.0.0.1:\(port)", "/var/spool/squid": "\(path)/spool",
                "/var/log/squid/access.log": "\(path)/access.log",
            ],
            adding: """

                pid_filename \(path)/squid.pid
                cache_log \(path)/cache.log
                coredump_dir \(path)
                visible_hostname localhost
                shutdown_lifetime 0 seconds
                dns_nameservers 127.0.0.1
                pinger_enable off
                """)
        try run("/usr/sbin/squid", ["-N", "-z", "-f", file])
        // A process inherits which signals its thread blocks, and squid leaves it at that.
        return try await started(
            SharedCache("/usr/sbin/squid", ["-N", "-f", file], folder: folder, port: port, endedBy: SIGKILL))
    }

    /// A mirror of a server.
    static func nginx(before origin: FaultServer) async throws -> SharedCache {
        let (folder, port) = (try place(), try FreePort.find())
        let path = folder.path
        let parts = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        let file = try configuration(
            "nginx.conf", in: folder,
            replacing: [
                "events {}": "daemon off; pid \(path)/nginx.pid; events {}", "listen 8080": "listen 127.0.0.1:\(port)",
                "http {": "http { " + parts.joined(separator: " "), "/var/cache/nginx": path,
                "/var/log/nginx/access.log": "\(path)/access.log", "https://origin": "http://origin",
                "server images.example.org:443": "server 127.0.0.1:\(origin.port)",
            ])
        return try await started(
            SharedCache(
                "/usr/sbin/nginx", ["-p", path, "-e", "\(path)/error.log", "-c", file], folder: folder, port: port,
                endedBy: SIGTERM))
    }

    /// The servers work as users of their own, who must get there.
    private static func place() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcedo-shared-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        chmod(folder.path, 0o777)
        return folder
    }

    private static func configuration(
        _ name: String, in folder: URL, replacing changes: KeyValuePairs<String, String>, adding text: String = ""
    ) throws -> String {
        let original = BuiltProgram.root.appending(path: "docs/shared-cache/\(name)")
        var lines = try String(contentsOf: original, encoding: .utf8)
        for (old, new) in changes {
            guard lines.contains(old) else { throw Missing(text: "\(name) does not say \(old)") }
            lines = lines.replacing(old, with: new)
        }
        let file = folder.appending(path: name)
        try (lines + text + "\n").write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    private static func started(_ cache: SharedCache) async throws -> SharedCache {
        try await eventually("it listens") { FreePort.isTaken(cache.port) }
        return cache
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Missing(text: "\(program) ends with an error") }
    }

    struct Missing: Error {
        let text: String
    }
}

/// Ports of 127.0.0.1 for servers that must be told one.
enum FreePort {
    /// One that nobody listens on now.
    static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw SharedCache.Missing(text: "no port is free") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Whether somebody takes connections there.
    static func isTaken(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in.loopback(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

extension SharedCache {
    /// How many connections clients have to it now, by the system's table (proc(5), /proc/net/tcp).
    var connections: Int {
        let table = (try? FileHandle(forReadingAtPath: "/proc/net/tcp")?.readToEnd()) ?? Data()
        let port = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - port.count) + port
        return String(decoding: table, as: UTF8.self).split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[1].hasSuffix(suffix) && words[3] == "01"
        }
    }
}
