import ImageLoading

/// The section `[browser]`: appearance and behaviour of the browser.
package struct BrowserConfiguration: Sendable, Equatable {
    package var graphics: String?
    package var theme: String?
    package var process: String?
    package var prefetches: Bool?
    package var hasTransitions: Bool?
    package var isASCII: Bool?
    package var hasMouse: Bool?
    package var opener: String?
    package var transition: TransitionName?
    package var transitionTime: Duration?
    package var slideTime: Duration?
    package var indicator: String?
    package var placeholder: String?
    package var failure: String?
    package var logs: Bool?
}

extension ConfigurationSection {
    static let browser = ConfigurationSection(
        name: "browser", documentation: "How the browser looks and behaves.",
        settings: [
            Setting<String>.theme, Setting<String>.graphics, Setting<String>.process, Setting<Bool>.prefetches,
            Setting<Bool>.transitions, Setting<TransitionName>.transition, Setting<Duration>.transitionTime,
            Setting<Duration>.slideTime,
            Setting<String>.indicator, Setting<String>.placeholder, Setting<String>.failure, Setting<Bool>.mouse,
            Setting<String>.opener, Setting<Bool>.ascii, Setting<Bool>.log,
        ])
}

extension Setting<String> {
    package static var theme: Setting {
        Setting(
            "theme", .named, at: \.browser.theme, default: "auto",
            "The colours: auto (dark or light, as the background is), dark, light, high-contrast, monochrome, or the name "
                + "of a theme's file.",
            environment: EnvironmentSource("NO_COLOR") { _ in "monochrome" })
    }

    package static var graphics: Setting {
        let names = BrowserSettings.graphicsNames
        let kind = SettingKind.text("\(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])") {
            name in
            var settings = BrowserSettings()
            return settings.setGraphics(name)
        }
        return Setting(
            "graphics", kind, at: \.browser.graphics, default: "auto",
            "How pictures are drawn: auto, kitty, sixel, iterm, blocks or sextants.")
    }

    package static var process: Setting {
        Setting(
            "process", .processors, at: \.browser.process, default: "", "A processor chain, as 'blur(6) |> round(20)'.")
    }
}

extension Setting<String> {
    package static var indicator: Setting {
        Setting(
            "indicator", .named, at: \.browser.indicator, default: "bar",
            "How a slow load is shown: \(BrowserSettings.indicatorNames.joined(separator: ", ")), or a "
                + "picture's file, such as a GIF.")
    }

    package static var placeholder: Setting {
        Setting(
            "placeholder", .named, at: \.browser.placeholder, default: "card",
            "What is shown while a picture loads: card, name, blank, or a picture's file.")
    }

    package static var failure: Setting {
        Setting(
            "failure", .named, at: \.browser.failure, default: "card",
            "What is shown when a picture failed: card, nothing, or a picture's file.")
    }
}

extension Setting<String> {
    package static var opener: Setting {
        Setting(
            "opener", .text("a program") { !$0.isEmpty }, at: \.browser.opener, default: BrowserSettings().opener,
            "The program that o opens a picture with.")
    }
}

extension Setting<Bool> {
    package static var mouse: Setting {
        Setting(
            "mouse", .flag, at: \.browser.hasMouse, default: BrowserSettings().hasMouse,
            "Mouse support; hold Shift to select text.")
    }
}

extension Setting<TransitionName> {
    package static var transition: Setting {
        Setting(
            "transition", .choice, at: \.browser.transition, default: .fade,
            "Transition to a new picture: \(TransitionName.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
}

extension Setting<Duration> {
    package static var transitionTime: Setting {
        Setting(
            "transition-time", .duration, at: \.browser.transitionTime, default: .milliseconds(200),
            "Duration of the transition.")
    }

    package static var slideTime: Setting {
        Setting(
            "slide-time", .duration, at: \.browser.slideTime, default: BrowserSettings().slideTime,
            "How long each picture is shown in a slideshow.")
    }
}

extension SettingKind<String> {
    /// A built-in name or a file.
    fileprivate static var named: SettingKind { .text("a name or a file") { !$0.isEmpty } }
}

extension Setting<Bool> {
    package static var prefetches: Setting {
        Setting(
            "prefetch", .flag, at: \.browser.prefetches, default: BrowserSettings().prefetches,
            "Download ahead of the selected picture.")
    }

    package static var transitions: Setting {
        Setting(
            "transitions", .flag, at: \.browser.hasTransitions, default: BrowserSettings().hasTransitions,
            "Show new pictures with a transition.")
    }

    package static var ascii: Setting {
        Setting(
            "ascii", .flag, at: \.browser.isASCII, default: BrowserSettings().isASCII,
            "Use ASCII characters only, even in a UTF-8 locale.")
    }

    package static var log: Setting {
        Setting(
            "log", .flag, at: \.browser.logs, default: true,
            "Log failures and messages to $XDG_STATE_HOME/alcedo/alcedo.log, without secrets, 2 MiB at most.")
    }
}

extension SettingKind<String> {
    /// A processor chain; the error says where the text is wrong.
    static var processors: SettingKind {
        SettingKind("a processor chain") { value throws(SettingProblem) in
            guard case .text(let text) = value else { return nil }
            do throws(ProcessorGrammar.Problem) { _ = try ProcessorGrammar.parse(text) } catch {
                throw SettingProblem("is not a processor chain: \(error), in '\(text)'")
            }
            return text
        } write: {
            .text($0)
        }
    }
}
