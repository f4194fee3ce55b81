import ImageLoading

extension ConfigurationSection {
    static let prefetch = ConfigurationSection(
        name: "prefetch", documentation: "How alcedo prefetch checks pictures and reports progress.",
        settings: [
            Setting<OriginalCheck>.check, Setting<PrefetchSettings.Progress>.progress, Setting<Bool>.quiet,
        ])
}

extension Setting<OriginalCheck> {
    package static var check: Setting {
        Setting(
            "prefetch.check", .choice, default: PrefetchSettings().check,
            "The check of each picture: decode finds damaged pixels; framing only checks its header and its end.")
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
