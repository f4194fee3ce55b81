import BrowserApp
import Foundation
import ImageLoading
import Raster
import TerminalGraphics

/// Runs the browser with our own indicator, placeholder and transition.
@MainActor
func browse(_ lists: [String], in folder: String) async throws -> Int32 {
    var settings = BrowserSettings()
    settings.lists = lists
    settings.environment = ProcessInfo.processInfo.environment.merging(["ALCEDO_CACHE_DIR": folder]) { $1 }
    settings.indicator = .custom(CountingIndicator(), rows: 1)
    settings.placeholder = LoudPlaceholder()
    settings.display.transition = ImageTransition(.custom(curtain))
    return try await BrowserProgram(settings: settings).run()
}

/// Shows the name in capitals.
private struct LoudPlaceholder: Placeholder {
    func content(for room: PlaceholderContext) -> PlaceholderContent { .text([room.name.uppercased()]) }
}

/// Lowers the new picture like a curtain.
@Sendable
private func curtain(from old: PixelBuffer?, to new: PixelBuffer, progress: Double) -> PixelBuffer {
    guard let old, old.size == new.size else { return new }
    let lowered = Int(Double(new.bytes.count) * progress) / 4 * 4
    return PixelBuffer(size: new.size) { bytes in
        for index in bytes.indices { bytes[index] = index < lowered ? new.bytes[index] : old.bytes[index] }
    }
}
