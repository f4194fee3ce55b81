import AlcedoCCurl
import AlcedoHTTPRequests
import FoundationEssentials

/// The loaded library.
package enum CurlLibrary {
    /// Loads the library, once; returns why it cannot be used, or nil.
    package static func problem() -> String? { alcedo_curl_load().map { String(cString: $0) } }

    /// The version and the protocols of the library, or nil if it cannot be loaded: `7.88.1, OpenSSL/3.0.19, HTTP/2`.
    package static var description: String? {
        guard problem() == nil, let info = alcedo_curl_version()?.pointee else { return nil }
        let parts = [info.version, info.ssl_version].compactMap { $0.map { String(cString: $0) } }
        return (parts + (info.features & (1 << 16) != 0 ? ["HTTP/2"] : [])).joined(separator: ", ")
    }

    /// The folder of trusted certificates that the library was built with.
    static var certificateFolder: String {
        alcedo_curl_version()?.pointee.capath.map { String(cString: $0) } ?? "/etc/ssl/certs"
    }
}

/// The owner of an easy handle, which carries one request at a time.
final class CurlHandle {
    let pointer: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    /// The text of the last error, which the library writes.
    private let problem = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init?() {
        guard let pointer = alcedo_curl_easy_new() else { return nil }
        self.pointer = pointer
        problem.pointee = 0
    }

    deinit {
        alcedo_curl_easy_free(pointer)
        freeLists()
        problem.deallocate()
    }

    /// Removes all options; `forgetsLogin` also removes the state of a digest login.
    func reset(forgetsLogin: Bool) {
        if forgetsLogin { alcedo_curl_easy_reset(pointer) }
        freeLists()
        problem.pointee = 0
        alcedo_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, problem)
    }

    private func freeLists() {
        for list in lists { alcedo_curl_list_free(list) }
        lists = []
    }

    func set(_ option: CURLoption, _ value: Int) { alcedo_curl_set_long(pointer, option, value) }

    func set(_ option: CURLoption, _ flag: Bool) { alcedo_curl_set_long(pointer, option, flag ? 1 : 0) }

    /// Sets a text; nil resets the option.
    func set(_ option: CURLoption, _ text: String?) {
        if let text { alcedo_curl_set_text(pointer, option, text) } else { alcedo_curl_set_text(pointer, option, nil) }
    }

    /// Sets bytes, which must live as long as the handle.
    func set(_ option: CURLoption, _ pem: PEMBytes) {
        pem.withBytes { alcedo_curl_set_bytes(pointer, option, $0.baseAddress, $0.count) }
    }

    /// Sets a list of lines; an empty list resets the option.
    func set(_ option: CURLoption, lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines { list = alcedo_curl_list_add(list, line) }
        alcedo_curl_set_pointer(pointer, option, list)
        if let list { lists.append(list) }
    }

    func number(_ info: CURLINFO) -> Int { alcedo_curl_get_long(pointer, info) }

    /// The times until the connection was ready.
    var phases: DownloadMetrics.Phases {
        let times = [CURLINFO_NAMELOOKUP_TIME_T, CURLINFO_CONNECT_TIME_T, CURLINFO_APPCONNECT_TIME_T].map {
            Duration.microseconds(alcedo_curl_get_time(pointer, $0))
        }
        return .init(
            lookup: times[0], connect: max(.zero, times[1] - times[0]), handshake: max(.zero, times[2] - times[1]))
    }

    /// Returns the library's text of the last error, or its general text for the code if there is none.
    func text(of code: CURLcode) -> String {
        String(cString: problem.pointee == 0 ? alcedo_curl_text(code) : UnsafePointer(problem))
    }
}
