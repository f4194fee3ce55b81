extension ConfigurationSection {
    static let prefetch = ConfigurationSection(
        name: "prefetch", documentation: "How alcedo prefetch reports progress.",
        settings: [Setting<PrefetchSettings.Progress>.progress, Setting<Bool>.quiet])
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
