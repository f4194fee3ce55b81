import Foundation
import ImageLoading
import Raster

extension ConfigurationSection {
    static let prefetch = ConfigurationSection(
        name: "prefetch", documentation: "How alcedo prefetch checks pictures and reports progress.",
        settings: [
            Setting<OriginalCheck>.check, Setting<Set<ImageFormat>?>.accept,
            Setting<PrefetchSettings.Progress>.progress, Setting<Bool>.quiet,
        ])
}

extension Setting<OriginalCheck> {
    package static var check: Setting {
        Setting(
            "prefetch.check", .choice, default: PrefetchSettings().check,
            "The check of each picture: decode finds damaged pixels; framing only checks its header and its end.")
    }
}

extension Setting<Set<ImageFormat>?> {
    package static var accept: Setting {
        Setting(
            "prefetch.accept", .formats, default: PrefetchSettings().acceptedFormats,
            "The formats to cache, as jpg,png,webp: pictures for all of them, any for whatever the server sends.")
    }
}

extension SettingKind<Set<ImageFormat>?> {
    /// Names of formats with commas between them; `pictures` for all, `any` for any content.
    fileprivate static var formats: SettingKind {
        SettingKind("formats such as jpg,png,webp, or pictures, or any") { value in
            guard case .text(let text) = value else { return nil }
            if text == "any" { return .some(nil) }
            if text == "pictures" { return Set(ImageFormat.allCases) }
            let formats = text.split(separator: ",").map { ImageFormat(name: $0.trimmingCharacters(in: .whitespaces)) }
            guard !formats.isEmpty, !formats.contains(nil) else { return nil }
            return Set(formats.compactMap(\.self))
        } write: { formats in
            guard let formats else { return .text("any") }
            guard formats.count < ImageFormat.allCases.count else { return .text("pictures") }
            return .text(ImageFormat.allCases.filter(formats.contains).map(\.fileExtension).joined(separator: ","))
        }
    }
}

extension Setting<PrefetchSettings.Progress> {
    package static var progress: Setting {
        Setting(
            "prefetch.progress", .choice, default: PrefetchSettings().progress,
            "Progress in place or in lines: auto, always, plain, or never, which prints failures only.")
    }
}

extension Setting<Bool> {
    package static var quiet: Setting {
        Setting(
            "prefetch.quiet", .flag, default: PrefetchSettings().isQuiet, "Print failures only.")
    }
}
