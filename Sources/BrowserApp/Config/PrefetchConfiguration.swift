/// The section `[prefetch]`: output of a prefetch.
package struct PrefetchConfiguration: Sendable, Equatable {
    package var progress: PrefetchSettings.Progress?
    package var isQuiet: Bool?
}

extension ConfigurationSection {
    static let prefetch = ConfigurationSection(
        name: "prefetch", documentation: "How alcedo prefetch reports progress.",
        settings: [Setting<PrefetchSettings.Progress>.progress, Setting<Bool>.quiet])
}

extension Setting<PrefetchSettings.Progress> {
    package static var progress: Setting {
        Setting(
            "progress", .choice, at: \.prefetch.progress, default: PrefetchSettings().progress,
            "Progress in place or in lines: auto, always, plain, or never, which prints failures only.")
    }
}

extension Setting<Bool> {
    package static var quiet: Setting {
        Setting(
            "quiet", .flag, at: \.prefetch.isQuiet, default: PrefetchSettings().isQuiet, "Print failures only.")
    }
}
