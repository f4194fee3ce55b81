import Foundation

/// nginx on loopback with pictures of one size: plain HTTP/1.1 on one port, HTTP/2 over TLS on another.
final class PictureServer {
    let ports: (plain: Int, tls: Int)
    private let process = Process()

    /// Serves `folder` until it goes; files that it needs lie there too.
    init(folder: URL, ports: (plain: Int, tls: Int)) throws {
        self.ports = ports
        try Self.run("openssl", Self.certificate(in: folder))
        let path = folder.path
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(path)/\($0);" }
        let text = """
            daemon off; pid \(path)/nginx.pid; worker_processes 1; \(getuid() == 0 ? "user root;" : "")
            events { worker_connections 2048; }
            http {
                \(temporary.joined(separator: " "))
                access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types { image/jpeg jpg; }
                server { listen 127.0.0.1:\(ports.plain); root \(path); }
                server {
                    listen 127.0.0.1:\(ports.tls) ssl http2; root \(path);
                    ssl_certificate \(path)/cert.pem; ssl_certificate_key \(path)/key.pem;
                }
            }
            """
        try text.write(to: folder.appending(path: "nginx.conf"), atomically: true, encoding: .utf8)
        process.executableURL = URL(filePath: "/usr/sbin/nginx")
        process.arguments = ["-p", path, "-e", "\(path)/error.log", "-c", "\(path)/nginx.conf"]
        try process.run()
        Thread.sleep(forTimeInterval: 1)
        guard process.isRunning else { throw CocoaError(.executableLoad) }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    private static func certificate(in folder: URL) -> [String] {
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=127.0.0.1"
            .split(separator: " ").map(String.init)
            + ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder.path)/key.pem"]
            + ["-out", "\(folder.path)/cert.pem"]
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/\(program)")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}
