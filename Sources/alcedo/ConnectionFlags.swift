import AlcedoConfig
import AlcedoLists
import ArgumentParser
import FoundationEssentials
import ImageLoading

/// The connection options of all commands that transfer.
struct ConnectionFlags: ParsableArguments {
    @Option(name: .long, help: .of(.timeout)) var timeout: String?
    @Option(name: .long, help: .of(.maximumTime)) var maxTime: String?
    @Option(
        name: .long,
        help: """
            A header as 'Name: value', or @FILE with one per line, sent to every host except redirect targets. Repeat for \
            more. Other users can read the arguments of a process, but not a file.
            """)
    var header: [String] = []
    @Flag(name: .long, help: "Use the logins in $NETRC or ~/.netrc.") var netrc = false
    @Option(
        name: .long,
        help: "Send the cookies in this file (cookies.txt of browsers, wget and curl) to their own hosts.",
        completion: .file())
    var cookies: String?
    @Option(
        name: .long,
        help: """
            A proxy for all hosts except those in $no_proxy, as http://host:3128 or socks5://host. A password is safer in \
            $https_proxy.
            """)
    var proxy: String?
    @Option(name: .long, help: "Trust the certificate authorities in this PEM file, too.", completion: .file())
    var cacert: String?
    @Flag(name: .long, help: "Accept any certificate; others can then read and change all traffic.")
    var insecure = false
    @Flag(name: .long, help: "Follow redirects from https to http.") var allowDowngrade = false
    @Flag(name: .customLong("http1.1"), help: "Never use HTTP/2.") var http1Only = false
    @Option(name: .long, help: "Connect from this network interface, address or host name.") var interface: String?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Use this address for a host and port, as example.org:443:192.0.2.7. Repeat for more.",
            valueName: "host:port:address"))
    var resolve: [String] = []

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.timeout, to: timeout, of: "--timeout")
        try configuration.set(.maximumTime, to: maxTime, of: "--max-time")
    }

    func settings(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> ConnectionSettings {
        var settings = ConnectionSettings()
        settings.headers = try header.flatMap(Self.headers)
        settings.netrc = netrc ? try Self.netrcFile(environment) : nil
        settings.cookies = try cookies.map(Self.cookieFile)
        settings.proxy = try proxy.map { try Self.proxies($0, environment) }
        settings.authorities = try authorities()
        settings.isInsecure = insecure
        settings.allowsDowngrade = allowDowngrade
        settings.isHTTP1Only = http1Only
        settings.interface = interface
        settings.addresses = try resolve.map(Self.fixedAddress)
        return settings
    }

    /// Returns the PEM text of the additional certificate authorities; empty for none.
    private func authorities() throws -> String {
        guard let cacert else { return "" }
        guard let bytes = FileManager.default.contents(atPath: cacert) else {
            throw UsageProblem(text: "--cacert: \(cacert): it cannot be read")
        }
        // Comments beside the certificates may have any encoding.
        let text = String(decoding: bytes, as: UTF8.self)
        var tls = TLSSettings()
        do throws(TLSSettingsProblem) { try tls.addRoots(pem: text) } catch {
            throw UsageProblem(text: "--cacert: \(cacert): \(error.description)")
        }
        return text
    }

    /// Checks a value of --resolve.
    private static func fixedAddress(_ text: String) throws -> String {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, UInt16(parts[1]) != nil, !parts[2].isEmpty else {
            throw UsageProblem(text: "--resolve needs HOST:PORT:ADDRESS, such as example.org:443:192.0.2.7")
        }
        return text
    }

    private static func headers(_ text: String) throws -> [HeaderField] {
        try lines(of: text).map { line in
            guard let header = ListHeader(line: line) else {
                throw UsageProblem(text: "--header takes 'Name: value', except headers that frame the request")
            }
            return HeaderField(name: header.name, value: header.value)
        }
    }

    private static func lines(of text: String) throws -> [Substring] {
        guard text.hasPrefix("@") else { return [text[...]] }
        let path = String(text.dropFirst())
        guard let content = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw UsageProblem(text: "--header cannot read \(path)")
        }
        return content.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func netrcFile(_ environment: [String: String]) throws -> NetrcFile {
        let path = environment["NETRC"].flatMap { $0.isEmpty ? nil : $0 } ?? (environment["HOME"] ?? "") + "/.netrc"
        do throws(NetrcProblem) {
            return try NetrcFile(contentsOf: URL(filePath: path))
        } catch {
            throw UsageProblem(text: "--netrc: \(path): \(text(of: error))")
        }
    }

    private static func cookieFile(_ path: String) throws -> CookieFile {
        do throws(CookieProblem) {
            return try CookieFile(contentsOf: URL(filePath: path))
        } catch {
            throw UsageProblem(text: "--cookies: \(path): \(text(of: error))")
        }
    }

    private static func text(of problem: CookieProblem) -> String {
        switch problem {
        case .unreadable(let why): why
        case .notText: "it is not text"
        case .notCookie(let line):
            "line \(line) is not a cookie: a cookies.txt has seven fields a line, separated by tabs"
        }
    }

    private static func text(of problem: NetrcProblem) -> String {
        switch problem {
        case .unreadable(let why): why
        case .notText: "it is not text"
        case .unknownWord(let line): "line \(line) has an unknown word"
        case .missingValue: "the last word has no value"
        }
    }

    private static func proxies(_ address: String, _ environment: [String: String]) throws -> ProxySettings {
        do throws(ProxyProblem) {
            let exceptions = NoProxyRules(environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
            return ProxySettings(try ProxyServer(address), exceptions: exceptions)
        } catch {
            throw UsageProblem(text: "--proxy: \(error)")
        }
    }
}

/// The concurrency options of commands that transfer many files.
struct TransferFlags: ParsableArguments {
    @Option(name: .long, help: .of(.jobs)) var jobs: Int?
    @Option(name: .long, help: .of(.perHost)) var perHost: Int?
    @Option(name: .long, help: .of(.ignoredQuery)) var ignoreQuery: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.jobs, to: jobs, of: "--jobs")
        try configuration.set(.perHost, to: perHost, of: "--per-host")
        try configuration.set(.ignoredQuery, to: ignoreQuery, of: "--ignore-query")
    }
}

/// The size limits of commands that read pictures.
struct LimitFlags: ParsableArguments {
    @Option(name: .long, help: .of(.maximumBytes)) var maxSize: String?
    @Option(name: .long, help: .of(.megapixels)) var maxPixels: Int?
    @Option(name: .long, help: .of(.frames)) var maxFrames: Int?
    @Option(name: .long, help: .of(.decodeTime)) var maxDecodeTime: String?
    @Option(name: .long, help: .of(.sandbox), completion: .of(.sandbox)) var sandbox: String?
    @Option(name: .long, help: .of(.memory)) var memory: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.maximumBytes, to: maxSize, of: "--max-size")
        try configuration.set(.megapixels, to: maxPixels, of: "--max-pixels")
        try configuration.set(.frames, to: maxFrames, of: "--max-frames")
        try configuration.set(.decodeTime, to: maxDecodeTime, of: "--max-decode-time")
        try configuration.set(.sandbox, to: sandbox, of: "--sandbox")
        try configuration.set(.memory, to: memory, of: "--memory")
    }
}

/// The rate limits of commands that run in the background.
struct PaceFlags: ParsableArguments {
    @Option(name: .long, help: .of(.requestRate)) var rate: String?
    @Option(name: .long, help: .of(.limitRate)) var limitRate: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.requestRate, to: rate, of: "--rate")
        try configuration.set(.limitRate, to: limitRate, of: "--limit-rate")
    }
}

/// The retry options of all commands that transfer.
struct RetryFlags: ParsableArguments {
    @Option(name: .long, help: .of(.retries)) var retries: Int?
    @Option(name: .long, help: .of(.retryDelay)) var retryDelay: String?
    @Option(name: .long, help: .of(.retryMaximumDelay)) var retryMaxDelay: String?

    func write(to configuration: inout Configuration) throws {
        try configuration.set(.retries, to: retries, of: "--retries")
        try configuration.set(.retryDelay, to: retryDelay, of: "--retry-delay")
        try configuration.set(.retryMaximumDelay, to: retryMaxDelay, of: "--retry-max-delay")
    }
}
