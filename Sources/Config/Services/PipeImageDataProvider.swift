import AlcedoSupport
import FoundationEssentials
import Glibc
import ImageLoading

/// The bytes of a pipe, such as standard input.
struct PipeImageDataProvider: ImageDataProvider {
    /// `-` for standard input, or the path of an open pipe.
    let path: String
    /// The maximum number of bytes.
    let limit: Int

    /// Creates a provider for `-` and for pipes of the process, such as those of `<(command)`; nil for other locations.
    ///
    /// A pipe in a folder is not read: it may have no writer, and the read would never end.
    init?(_ location: String, limit: Int) {
        var status = stat()
        let isOwn = location == "/dev/stdin" || location.hasPrefix("/dev/fd/")
        guard
            location == "-"
                || isOwn && location.withPath({ stat($0, &status) }) == 0 && status.st_mode & S_IFMT == S_IFIFO
        else {
            return nil
        }
        (path, self.limit) = (location, limit)
    }

    var cacheKey: String { "pipe:\(path)" }
    var isWorthCachingOnDisk: Bool { false }

    @concurrent
    func data() async throws -> Data {
        if path == "-", isatty(STDIN_FILENO) == 1 {
            throw ProgramProblem("standard input is a terminal, not a picture")
        }
        let input = path == "-" ? nil : try OpenFile(reading: path)
        var data = Data()
        while true {
            let block = try OpenFile.read(input?.descriptor ?? STDIN_FILENO, upTo: 1 << 20)
            if block.isEmpty { return data }
            data.append(block)
            guard data.count <= limit else { throw ProgramProblem("more than the limit of \(limit) bytes") }
        }
    }
}
