import Foundation
import ImageLoading
import Raster

/// From a file's bytes to pixels of the wanted size, beside what the format's own library needs for as much.
///
/// libjpeg-turbo and libwebp are their own programs, told to scale as far as they can; libspng decodes in this process and
/// does not scale.
enum DecodeFigures {
    private static let box = PixelSize(width: 800, height: 800)
    private static let runs = 7

    static func run() throws {
        print(
            "decode and resize into a box of 800 × 800 pixels, in process, medians of \(runs) alternating runs;"
                + " djpeg and dwebp are whole processes")
        let formats = [".jpg": "djpeg -scale", ".png": "libspng", ".webp": "dwebp -mt -scale"]
        for picture in ShowFigures.pictures {
            guard let library = formats.first(where: { picture.hasSuffix($0.key) })?.value,
                let file = FileManager.default.contents(atPath: picture)
            else { continue }
            let header = try CodecDecoder().header(of: file, limits: .standard)
            let target = header.size.scaled(to: box)
            guard let peer = peer(for: header, at: picture, file, target) else { continue }
            try compare(picture, file, library, peer)
        }
    }

    private static func compare(
        _ picture: String, _ file: Data, _ library: String, _ peer: () throws -> Void
    ) throws {
        var (own, theirs): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            own.append(try milliseconds { _ = try CodecDecoder().decode(file, within: box, limits: .standard) })
            theirs.append(try milliseconds(peer))
        }
        let (time, reference) = (own.sorted()[runs / 2], theirs.sorted()[runs / 2])
        let name = (picture as NSString).lastPathComponent
        print(
            String(
                format: "%@ %4.0f ms  %@ %4.0f ms  alcedo / library %.2f (goal 1.20 at most)",
                String(name.prefix(38)).padding(toLength: 40, withPad: " ", startingAt: 0), time,
                library.padding(toLength: 17, withPad: " ", startingAt: 0), reference, time / reference))
    }

    /// Decodes once; nil where the library is not installed.
    private static func peer(
        for header: ImageHeader, at path: String, _ file: Data, _ target: PixelSize
    ) -> (() throws -> Void)? {
        switch header.format {
        case .jpeg:
            let shrink = [8, 4, 2].first { header.size.width / $0 >= target.width } ?? 1
            return { try run("/usr/bin/djpeg", ["-scale", "1/\(shrink)", "-outfile", "/dev/null", path]) }
        case .png:
            guard let library = SpngLibrary() else { return nil }
            return { library.decode(file) }
        case .webP:
            let size = [target.width, target.height].map(String.init)
            return { try run("/usr/bin/dwebp", ["-mt", "-scale"] + size + ["-pam", "-o", "/dev/null", path]) }
        default: return nil
        }
    }

    private static func run(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        _ = try process.timedRun()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }

    private static func milliseconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return start.duration(to: .now) / .milliseconds(1)
    }
}
