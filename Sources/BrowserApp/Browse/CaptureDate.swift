import AlcedoBrowserCore
import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading

/// When pictures were taken, for sorting and for the list.
enum CaptureDate {
    /// The bytes at the start of a file in which its EXIF data is looked for: a whole segment of a JPEG file, and more.
    private static let beginning = 80 << 10

    /// Returns the times of files: of their pictures by EXIF, else of their last change; in seconds since 1970 as a clock
    /// that shows this machine's time counts them.
    @concurrent
    static func dates(of files: [ItemID: String]) async -> [ItemID: Int] {
        files.compactMapValues { path in
            var status = stat()
            guard !Task.isCancelled, path.withPath({ stat($0, &status) }) == 0 else { return nil }
            let isFile = status.st_mode & S_IFMT == S_IFREG
            return local((isFile ? taken(path) : nil) ?? status.st_mtim.tv_sec)
        }
    }

    /// Returns how a local file's picture was taken; nil if only the whole file can tell.
    @concurrent
    static func texts(inBeginningOf path: String) async -> CaptureTexts? {
        guard let start = beginning(of: path) else { return nil }
        let texts = CaptureTexts(CaptureFacts(file: start))
        let isJPEG = start.starts(with: [0xFF, 0xD8])
        return texts == CaptureTexts() && start.count == beginning && !isJPEG ? nil : texts
    }

    private static func local(_ seconds: Int) -> Int {
        var (time, parts) = (seconds, tm())
        return localtime_r(&time, &parts) == nil ? seconds : seconds + parts.tm_gmtoff
    }

    private static func taken(_ path: String) -> Int? {
        beginning(of: path).flatMap { CaptureFacts(file: $0).taken }.flatMap(seconds)
    }

    /// Returns the bytes at the start of a file in which its EXIF data is looked for; nil if it cannot be read.
    static func beginning(of path: String) -> Data? {
        let descriptor = path.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = Data(count: beginning)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? bytes.prefix(count) : nil
    }

    /// Returns the seconds since 1970 of a time such as `2026-07-14T18:30:05+02:00`; without an offset it is a time of
    /// this machine's zone.
    static func seconds(_ text: String) -> Int? {
        let numbers = text.prefix(19).split { "-T:".contains($0) }.compactMap { Int32($0) }
        guard numbers.count == 6 else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[3], numbers[4], numbers[5])
        time.tm_isdst = -1
        let offset = text.dropFirst(19)
        guard let sign = offset.first else { return mktime(&time) }
        if sign == "Z" { return timegm(&time) }
        let parts = offset.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        return timegm(&time) - (sign == "-" ? -1 : 1) * (parts[0] * 3600 + parts[1] * 60)
    }
}

extension CaptureTexts {
    init(_ facts: CaptureFacts) { self.init(camera: facts.camera, taken: facts.taken) }
}
