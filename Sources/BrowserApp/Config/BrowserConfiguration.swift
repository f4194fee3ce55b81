import ImageLoading

extension ConfigurationSection {
    static let browser = ConfigurationSection(
        name: "browser", documentation: "How the browser looks and behaves.",
        settings: [
            Setting<String>.theme, Setting<String>.graphics, Setting<String>.process, Setting<Bool>.prefetches,
            Setting<Bool>.session,
            Setting<Bool>.transitions, Setting<TransitionName>.transition, Setting<Duration>.transitionTime,
            Setting<Duration>.slideTime,
            Setting<String>.indicator, Setting<String>.placeholder, Setting<String>.failure, Setting<Bool>.mouse,
            Setting<String>.opener, Setting<Bool>.ascii, Setting<Bool>.log,
        ])
}

extension Setting<String> {
    package static var theme: Setting {
        Setting(
            "browser.theme", .named, default: "auto",
            "The colours: auto (dark or light, like the background), dark, light, high-contrast, monochrome, or the name "
                + "of a theme file.",
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
            "browser.graphics", kind, default: "auto",
            "How pictures are drawn: auto, kitty, sixel, iterm, blocks or sextants.")
    }

    package static var process: Setting {
        Setting(
            "browser.process", .processors, default: "", "A processor chain, as 'blur(6) |> round(20)'.")
    }

    package static var indicator: Setting {
        Setting(
            "browser.indicator", .named, default: "bar",
            "How a slow load is shown: \(BrowserSettings.indicatorNames.joined(separator: ", ")), or a "
                + "picture file, such as a GIF.")
    }

    package static var placeholder: Setting {
        Setting(
            "browser.placeholder", .named, default: "card",
            "What is shown while a picture loads: card, name, blank, or a picture file.")
    }

    package static var failure: Setting {
        Setting(
            "browser.failure", .named, default: "card",
            "What is shown when a picture failed: card, nothing, or a picture file.")
    }

    package static var opener: Setting {
        Setting(
            "browser.opener", .text("a program") { !$0.isEmpty }, default: BrowserSettings().opener,
            "The program that o opens a picture with.")
    }
}

extension Setting<Bool> {
    package static var mouse: Setting {
        Setting(
            "browser.mouse", .flag, default: BrowserSettings().hasMouse,
            "Mouse support; hold Shift to select text.")
    }

    package static var prefetches: Setting {
        Setting(
            "browser.prefetch", .flag, default: BrowserSettings().prefetches,
            "Download ahead of the selected picture.")
    }

    package static var session: Setting {
        Setting("browser.session", .flag, default: true, "Restore the marks, position and filter of a list.")
    }

    package static var transitions: Setting {
        Setting(
            "browser.transitions", .flag, default: BrowserSettings().hasTransitions,
            "Show new pictures with a transition.")
    }

    package static var ascii: Setting {
        Setting(
            "browser.ascii", .flag, default: BrowserSettings().isASCII,
            "Use ASCII characters only, even in a UTF-8 locale.")
    }

    package static var log: Setting {
        Setting(
            "browser.log", .flag, default: true,
            "Log failures and messages to $XDG_STATE_HOME/alcedo/alcedo.log, without secrets, 2 MiB at most.")
    }
}

extension Setting<TransitionName> {
    package static var transition: Setting {
        Setting(
            "browser.transition", .choice, default: .fade,
            "Transition to a new picture: \(TransitionName.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
}

extension Setting<Duration> {
    package static var transitionTime: Setting {
        Setting(
            "browser.transition-time", .duration, default: .milliseconds(200),
            "Duration of the transition.")
    }

    package static var slideTime: Setting {
        Setting(
            "browser.slide-time", .duration, default: BrowserSettings().slideTime,
            "How long each picture is shown in a slideshow.")
    }
}

extension SettingKind<String> {
    /// A built-in name or a file.
    fileprivate static var named: SettingKind { .text("a name or a file") { !$0.isEmpty } }

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
