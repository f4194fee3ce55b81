import Foundation
import ImageLoading

/// The commands of the example: show, view, prefetch, browse, avatar.
@main
struct Gallery {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let folder = CacheFolder(path: ProcessInfo.processInfo.environment["GALLERY_CACHE"] ?? "gallery-cache")
        let urls = arguments.dropFirst().compactMap { URL(string: $0) }
        switch arguments.first {
        case "show": for url in urls { try await showPicture(at: url, in: folder) }
        case "view": try await view(urls, in: folder)
        case "prefetch": try await prefetch(urls, in: folder)
        case "avatar":
            let provider = LetterAvatarProvider(name: arguments.last ?? "")
            try FileHandle.standardOutput.write(contentsOf: try await provider.data())
        case "browse": exit(try await browse(Array(arguments.dropFirst()), in: folder.path))
        default: print("usage: gallery show URL | view URL… | prefetch URL… | browse LIST… | avatar NAME")
        }
    }
}
