import AlcedoCCurl
import AlcedoHTTPRequests
import FoundationEssentials

/// The options of all requests of a downloader.
struct TransferSetup: Sendable {
    let configuration: DownloaderConfiguration
    /// The certificates of `SSL_CERT_FILE` and `SSL_CERT_DIR`, which the library ignores; nil if they are not set.
    private let certificateFile: String?
    private let certificateFolder: String?
    /// Whether the file is a bundle of all authorities, so that the folder is not needed.
    ///
    /// The library keeps the parsed file for later connections only if there is no folder, and parsing a bundle takes
    /// 20 ms.
    private let isBundle: Bool
    /// The additional roots, together with those of `SSL_CERT_FILE`; nil if there are no additional ones.
    private let roots: PEMBytes?

    /// The bundle of a system that has no folder of certificates by hash (`0a1b2c3d.0`), as NixOS; nil if there is one.
    private static let systemBundle: String? = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: CurlLibrary.certificateFolder)) ?? []
        if names.contains(where: { $0.hasSuffix(".0") }) { return nil }
        return [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
        ].first(where: FileManager.default.isReadableFile)
    }()

    init(_ configuration: DownloaderConfiguration) {
        self.configuration = configuration
        let environment = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
        certificateFolder = environment["SSL_CERT_DIR"]
        let file = environment["SSL_CERT_FILE"] ?? (certificateFolder == nil ? Self.systemBundle : nil)
        certificateFile = file
        let size = file.flatMap { try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int } ?? 0
        isBundle = size > 64 << 10
        let (own, given) = (configuration.tls.roots, file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) })
        roots = own.isEmpty ? nil : PEMBytes(own + (given ?? ""))
    }

    /// The number of idle connections that are kept.
    var connections: Int { max(64, 2 * configuration.limits.concurrent) }

    /// Sets the options of a request; the handle must not outlive this value.
    ///
    /// - Parameters:
    ///   - isFresh: Whether the request must not use a kept connection.
    ///   - isHTTP1: Whether HTTP/1.1 is used whatever the server offers.
    func apply(to handle: CurlHandle, _ request: OutgoingRequest, isFresh: Bool, isHTTP1: Bool) {
        handle.set(CURLOPT_URL, request.address)
        handle.set(CURLOPT_PATH_AS_IS, true)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_NOSIGNAL, true)
        // Otherwise a cancelled name lookup would block the thread until it is answered.
        handle.set(CURLOPT_QUICK_EXIT, true)
        handle.set(CURLOPT_HTTPHEADER, lines: request.lines)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, configuration.limits.connect.milliseconds)
        handle.set(CURLOPT_MAXAGE_CONN, 60)
        // Compared with the default of 16 KiB, bodies of 900 KB take 5 to 18 % less processor time, 20 KB the same.
        handle.set(CURLOPT_BUFFERSIZE, 128 << 10)
        handle.set(CURLOPT_FRESH_CONNECT, isFresh)
        handle.set(CURLOPT_FORBID_REUSE, false)
        // An HTTP/2 server sends up to 32 MiB to a paused transfer, so a limited rate needs HTTP/1.1.
        let version =
            isHTTP1 || configuration.isHTTP1Only || configuration.limits.bytesPerSecond != nil
            ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS
        handle.set(CURLOPT_HTTP_VERSION, Int(version))
        // Transfers wait for a stream of a connection that is being made, instead of making one of their own.
        handle.set(CURLOPT_PIPEWAIT, request.isSecure && !isFresh && !isHTTP1)
        handle.set(CURLOPT_INTERFACE, configuration.interface)
        if !configuration.addresses.isEmpty { handle.set(CURLOPT_RESOLVE, lines: configuration.addresses) }
        applyProxy(to: handle, request)
        if case .basic(let user, let password)? = request.digest {
            handle.set(CURLOPT_HTTPAUTH, Int(1 << 1))
            handle.set(CURLOPT_USERNAME, user)
            handle.set(CURLOPT_PASSWORD, password)
        }
        if request.isSecure || request.proxy?.kind == .https { applyTLS(to: handle) }
    }

    private func applyProxy(to handle: CurlHandle, _ request: OutgoingRequest) {
        // Without these two options the library would read the environment.
        handle.set(CURLOPT_PROXY, request.proxy?.address ?? "")
        handle.set(CURLOPT_NOPROXY, "")
        // The handles of digest logins are not reset.
        for option in [CURLOPT_PROXYUSERNAME, CURLOPT_PROXYPASSWORD] { handle.set(option, nil as String?) }
        handle.set(CURLOPT_PROXYHEADER, lines: request.proxyLines)
        guard let proxy = request.proxy else { return }
        handle.set(CURLOPT_HTTPPROXYTUNNEL, request.isSecure)
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        if case .basic(let user, let password)? = proxy.credential {
            // With both, the library waits for the challenge and takes digest, if it is offered.
            handle.set(CURLOPT_PROXYAUTH, request.usesProxyDigest ? 1 << 1 | 1 : 1)
            handle.set(CURLOPT_PROXYUSERNAME, user)
            handle.set(CURLOPT_PROXYPASSWORD, password)
        }
    }

    private func applyTLS(to handle: CurlHandle) {
        let tls = configuration.tls
        handle.set(CURLOPT_SSLVERSION, 6)
        handle.set(CURLOPT_PROXY_SSLVERSION, 6)
        // OpenSSL reads a bundle as a whole, but only the needed files of a folder: that takes a tenth of the time.
        let folder = isBundle ? nil : certificateFolder ?? CurlLibrary.certificateFolder
        for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] { handle.set(option, certificateFile) }
        for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { handle.set(option, folder) }
        if let roots {
            handle.set(CURLOPT_CAINFO_BLOB, roots)
            handle.set(CURLOPT_PROXY_CAINFO_BLOB, roots)
        }
        if let identity = tls.identity {
            handle.set(CURLOPT_SSLCERT_BLOB, identity.chain)
            handle.set(CURLOPT_SSLKEY_BLOB, identity.key)
        }
        guard tls.isInsecure else { return }
        for option in [CURLOPT_SSL_VERIFYPEER, CURLOPT_PROXY_SSL_VERIFYPEER] { handle.set(option, false) }
        for option in [CURLOPT_SSL_VERIFYHOST, CURLOPT_PROXY_SSL_VERIFYHOST] { handle.set(option, false) }
    }
}

extension ProxyServer {
    /// The address in the form of libcurl, without the credential.
    fileprivate var address: String {
        let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(kind.rawValue)://\(name):\(port)"
    }
}

extension Duration {
    /// The duration in whole milliseconds, at least 1.
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(clamping: seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
