import Foundation
import TerminalImageView

/// Shows pictures one after the other in the upper part of a sixel terminal, as an image view of a program would.
@MainActor
func view(_ urls: [URL], in folder: CacheFolder) async throws {
    let view = TerminalImageView(
        in: Rect(column: 2, row: 1, columns: 76, rows: 20),
        encoder: PictureEncoder(protocol: .sixel(SixelLimits()), cell: CellSize(ofTerminal: 1) ?? .fallback),
        pipeline: ImagePipeline(cache: ImageCache(disk: try DiskStorage(folder: folder))),
        placeholder: TextPlaceholder(), indicator: ActivityIndicator()
    ) { bytes in
        try? FileHandle.standardOutput.write(contentsOf: bytes)
    }
    write("\u{1B}[2J\u{1B}[?25l")
    defer { write("\u{1B}[?25h\u{1B}[23;1H") }
    for url in urls {
        do throws(ImageError) {
            try await view.setImage(
                with: Source(url: url), options: [.keepCurrentImageWhileLoading, .transition(.flipFromBottom(0.5))])
        } catch {
            write("\u{1B}[23;1H\u{1B}[K\(error.localizedDescription)")
        }
        try await Task.sleep(for: .seconds(1))
    }
}

private func write(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
}
