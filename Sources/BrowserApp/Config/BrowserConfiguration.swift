import ImageLoading

/// `[browser]`: how the browser looks and what it does of itself.
public struct BrowserConfiguration: Sendable, Equatable {
    public var graphics: String?
    public var process: String?
    public var prefetches: Bool?
    public var hasTransitions: Bool?
    public var isASCII: Bool?
}

extension ConfigurationSection {
    static let browser = ConfigurationSection(
        name: "browser", documentation: "How the browser looks and what it does of itself.",
        settings: [
            Setting<String>.graphics, Setting<String>.process, Setting<Bool>.prefetches, Setting<Bool>.transitions,
            Setting<Bool>.ascii,
        ])
}

extension Setting<String> {
    public static var graphics: Setting {
        let kind = SettingKind.text("auto, kitty, sixel, iterm, blocks or sextants") { name in
            var settings = BrowserSettings()
            return settings.setGraphics(name)
        }
        return Setting(
            "graphics", kind, at: \.browser.graphics, default: "auto",
            "How pictures are drawn: auto, kitty, sixel, iterm, blocks or sextants.")
    }

    public static var process: Setting {
        Setting(
            "process", .processors, at: \.browser.process, default: "", "A processor chain, as 'blur(6) |> round(20)'.")
    }
}

extension Setting<Bool> {
    public static var prefetches: Setting {
        Setting(
            "prefetch", .flag, at: \.browser.prefetches, default: BrowserSettings().prefetches,
            "Fetch ahead of what is looked at.")
    }

    public static var transitions: Setting {
        Setting(
            "transitions", .flag, at: \.browser.hasTransitions, default: BrowserSettings().hasTransitions,
            "Fade new pictures in.")
    }

    public static var ascii: Setting {
        Setting(
            "ascii", .flag, at: \.browser.isASCII, default: BrowserSettings().isASCII,
            "Draw with ASCII signs only, even where the locale has more.")
    }
}

extension SettingKind<String> {
    /// A processor chain; the problem says where it goes wrong.
    static var processors: SettingKind {
        SettingKind("a processor chain") { value throws(SettingProblem) in
            guard case .text(let text) = value else { return nil }
            do throws(ProcessorGrammar.Problem) { _ = try ProcessorGrammar.parse(text) } catch {
                throw SettingProblem("is no processor chain: \(error), in '\(text)'")
            }
            return text
        } write: {
            .text($0)
        }
    }
}
