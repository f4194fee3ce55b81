import AlcedoBrowserCore
import AlcedoLists
import AlcedoSupport
import AlcedoTerminal
import ImageLoading
import Raster
import Retrying
import TerminalGraphics

extension ConfigurationSection {
    package static let transfers = ConfigurationSection(
        name: "transfers", documentation: "How much is downloaded and decoded, and how fast.",
        settings: [
            Setting<Int>.jobs, Setting<Int>.perHost, Setting<Int>.maximumBytes, Setting<Int>.megapixels,
            Setting<Int>.frames, Setting<SandboxMode>.sandbox, Setting<Int>.memory, Setting<Duration>.timeout,
            Setting<Duration>.maximumTime, Setting<Duration>.decodeTime,
            Setting<Double>.requestRate, Setting<Int>.limitRate,
        ])
    package static let retrying = ConfigurationSection(
        name: "retrying", documentation: "How failed downloads are retried, and when a host is paused.",
        settings: [
            Setting<Int>.retries, Setting<Duration>.retryDelay, Setting<Duration>.retryMaximumDelay,
            Setting<JitterName>.retryJitter, Setting<Duration>.serverDelayLimit, Setting<Double>.retryBudget,
            Setting<Int>.retryReserve, Setting<Int>.hostFailures, Setting<Duration>.hostPatience,
        ])
    static let browser = ConfigurationSection(
        name: "browser", documentation: "How the browser looks and behaves.",
        settings: [
            Setting<String>.theme, Setting<GraphicsMethod>.graphics, Setting<String>.process, Setting<Bool>.prefetches,
            Setting<Bool>.prefetchesAll, Setting<Bool>.session, Setting<Bool>.hidden, Setting<Bool>.transitions,
            Setting<Transition>.transition, Setting<TransitionMoment>.transitionWhen,
            Setting<Duration>.transitionTime, Setting<Duration>.slideTime, Setting<String>.indicator,
            Setting<String>.placeholder, Setting<String>.failure, Setting<Bool>.mouse, Setting<String>.opener,
            Setting<Bool>.ascii, Setting<Bool>.log,
        ])
    static let prefetch = ConfigurationSection(
        name: "prefetch", documentation: "How alcedo prefetch checks pictures and reports progress.",
        settings: [
            Setting<OriginalCheck>.check, Setting<Set<ImageFormat>?>.accept,
            Setting<ProgressMode>.progress, Setting<Bool>.quiet,
        ])
    package static let cache = ConfigurationSection(
        name: "cache", documentation: "The disk cache.",
        settings: [
            Setting<String>.cacheFolder, Setting<Int>.cacheBytes, Setting<Bool>.allowsNetworkCache,
            Setting<String>.ignoredQuery,
        ])
    static let privacy = ConfigurationSection(
        name: "privacy", documentation: "What is hidden of addresses.", settings: [Setting<Bool>.redacts])
}

extension Setting<Int> {
    package static var jobs: Setting {
        Setting(
            "transfers.jobs", .number(in: 1...1024), default: 32, "Downloads at a time.")
    }
    package static var perHost: Setting {
        Setting(
            "transfers.per-host", .number(in: 1...1024), default: DownloadLimits().concurrentPerHost,
            "Downloads at a time from one host.")
    }
    package static var maximumBytes: Setting {
        Setting(
            "transfers.max-size", .bytes, default: 100 << 20,
            "Largest download or local file, with K, M or G.")
    }
    package static var megapixels: Setting {
        Setting(
            "transfers.max-pixels", .number(in: 1...10_000), default: DecodeLimits.standard.pixels / 1_000_000,
            "Largest picture that is decoded, in megapixels; each takes 4 to 18 MB of memory.")
    }
    package static var frames: Setting {
        Setting(
            "transfers.max-frames", .number(in: 1...1_000_000), default: DecodeLimits.standard.frames,
            "Largest number of frames of an animation that is decoded.")
    }
    package static var memory: Setting {
        Setting(
            "transfers.memory", .bytes, default: 512 << 20,
            "Memory for pictures, with K, M or G: half for the cache, half for decoding; a larger picture is decoded alone."
        )
    }
    package static var limitRate: Setting {
        Setting(
            "transfers.limit-rate", .bytesOrNone, default: 0,
            "Bytes per second of all downloads together, with K, M or G; 0 for no limit.")
    }
    package static var retries: Setting {
        Setting(
            "retrying.retries", .number(in: 0...100), default: 3,
            "Attempts after the first failed one.")
    }
    package static var retryReserve: Setting {
        Setting(
            "retrying.budget-reserve", .number(in: 0...1_000_000), default: 10,
            "Retries per host that do not count against the budget.")
    }
    package static var hostFailures: Setting {
        Setting(
            "retrying.host-failures", .number(in: 1...1_000_000), default: 5,
            "Pause a host after this many failures in a row.")
    }
    package static var cacheBytes: Setting {
        Setting("cache.max-size", .bytes, default: DiskStorage.Configuration().sizeLimit, "Size limit, with K, M or G.")
    }
}

extension Setting<SandboxMode> {
    package static var sandbox: Setting {
        Setting(
            "transfers.sandbox", .choice, default: .auto,
            """
            Decode pictures in processes without rights: auto uses the protections that the kernel has, required fails \
            if one is missing, off decodes without protection.
            """)
    }
}

extension Setting<Duration> {
    package static var timeout: Setting {
        Setting(
            "transfers.timeout", .duration, default: .zero,
            "Time-out without data; 0s uses 10 s to connect, 15 s for the response, 30 s between reads.")
    }
    package static var maximumTime: Setting {
        Setting(
            "transfers.max-time", .duration, default: .zero,
            "Longest time of a transfer, redirects included; 0s means no limit.")
    }
    package static var decodeTime: Setting {
        Setting(
            "transfers.max-decode-time", .duration, default: DecodeLimits.standard.processorTime,
            "Processor time to decode a picture, in whole seconds; large ones have 1 s more for each 16 megapixels.")
    }
    package static var retryDelay: Setting {
        Setting(
            "retrying.delay", .duration, default: .milliseconds(500),
            "Delay before the first retry; doubled each time.")
    }
    package static var retryMaximumDelay: Setting {
        Setting("retrying.max-delay", .duration, default: .seconds(30), "Longest retry delay.")
    }
    package static var serverDelayLimit: Setting {
        Setting(
            "retrying.retry-after-max", .duration, default: .seconds(60),
            "Longest Retry-After that is honoured.")
    }
    package static var hostPatience: Setting {
        Setting(
            "retrying.host-patience", .duration, default: .zero,
            "How long items wait for a failing host; 0 means as long as it has been known, 20s to 3m.")
    }
    package static var transitionTime: Setting {
        Setting(
            "browser.transition-time", .duration(in: .zero ... .seconds(2)), default: .milliseconds(150),
            "Duration of the transition.")
    }
    package static var slideTime: Setting {
        Setting(
            "browser.slide-time", .duration(in: .milliseconds(100) ... .seconds(86_400)), default: .seconds(5),
            "How long each picture is shown in a slideshow.")
    }
}

extension Setting<Double> {
    package static var requestRate: Setting {
        Setting(
            "transfers.rate", .rate, default: 0,
            "Request rate per host, as 10/s or 30/m; 0 for no limit.")
    }
    package static var retryBudget: Setting {
        Setting(
            "retrying.budget", .percentage, default: 0.1,
            "Failed retries per host, as a share of its requests; 10 more are free by default."
        )
    }
}

extension Setting<String> {
    package static var theme: Setting {
        Setting(
            "browser.theme", .named, default: "auto",
            "The colours: auto (dark or light, like the background), dark, light, high-contrast, monochrome, or the name "
                + "of a theme file.",
            variable: "NO_COLOR", setting: "monochrome")
    }
    package static var process: Setting {
        Setting("browser.process", .processors, default: "", "A processor chain, as 'blur(6) |> round(20)'.")
    }
    package static var indicator: Setting {
        Setting(
            "browser.indicator", .named, default: "bar",
            "How a slow load is shown: \(BuiltInNames.indicators.joined(separator: ", ")), or a "
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
            "browser.opener",
            .text("a shell command, with {} outside of longer quotes") {
                !$0.isEmpty && (try? ShellTemplate($0)) != nil
            }, default: "xdg-open",
            "The shell command that o opens a picture with; {} or the end stands for its path or URL.")
    }
    package static var cacheFolder: Setting {
        let kind = SettingKind.text("an absolute path") { $0.isEmpty || $0.hasPrefix("/") }
        return Setting(
            "cache.folder", kind, default: "",
            "Its folder, an absolute path; empty for $XDG_CACHE_HOME/alcedo. $ALCEDO_CACHE_DIR overrides it.",
            variable: "ALCEDO_CACHE_DIR")
    }
    package static var ignoredQuery: Setting {
        Setting(
            "cache.ignore-query", .text("names between commas") { _ in true }, default: "",
            "Query parameters that do not belong to a picture's cache key, as 'sig,Expires,X-Amz-*'.")
    }
}

extension Setting<Bool> {
    package static var mouse: Setting {
        Setting(
            "browser.mouse", .flag, default: true,
            "Mouse support; hold Shift to select text.")
    }
    package static var prefetches: Setting {
        Setting(
            "browser.prefetch", .flag, default: true,
            "Download ahead of the selected picture.")
    }
    package static var prefetchesAll: Setting {
        Setting(
            "browser.prefetch-all", .flag, default: false,
            "Download all of a list of more than 2,000 pictures, not only around the selected one and marked ones.")
    }
    package static var session: Setting {
        Setting("browser.session", .flag, default: true, "Restore the marks, position and filter of a list.")
    }
    package static var hidden: Setting {
        Setting(
            "browser.hidden", .flag, default: false,
            "List hidden files and folders, too, whose names begin with a dot.")
    }
    package static var transitions: Setting {
        Setting(
            "browser.transitions", .flag, default: true,
            "Show new pictures with a transition.")
    }
    package static var ascii: Setting {
        Setting(
            "browser.ascii", .flag, default: false,
            "Use ASCII characters only, even in a UTF-8 locale.")
    }
    package static var log: Setting {
        Setting(
            "browser.log", .flag, default: true,
            "Log failures and messages to $XDG_STATE_HOME/alcedo/alcedo.log, without secrets, 2 MiB at most.")
    }
    package static var quiet: Setting {
        Setting("prefetch.quiet", .flag, default: false, "Print failures only.")
    }
    package static var allowsNetworkCache: Setting {
        Setting(
            "cache.allow-network", .flag, default: false,
            "Also use a folder on a network file system. One machine at a time may use it.")
    }
}

extension Setting<Bool> {
    package static var redacts: Setting {
        Setting(
            "privacy.redact", .flag, default: true,
            """
            Hide passwords and secret values of addresses on the screen, in reports, logs and the cache's index; false \
            writes addresses as they are.
            """)
    }
}

extension Configuration {
    /// Makes the process hide secrets, or show them, as the setting says.
    package func applyRedaction() { Redaction.isOff = !self[.redacts] }
}

extension Setting<JitterName> {
    package static var retryJitter: Setting {
        Setting(
            "retrying.jitter", .choice, default: .full, "Jitter of the retry delays: full, none or decorrelated.")
    }
}

extension Setting<GraphicsMethod> {
    package static var graphics: Setting {
        Setting(
            "browser.graphics", .choice, default: .auto,
            "How pictures are drawn: \(SettingKind<GraphicsMethod>.choice.expected).")
    }
}

/// The named kinds of jitter.
package enum JitterName: String, Sendable, CaseIterable {
    case full, none, decorrelated

    var jitter: Jitter {
        switch self {
        case .full: .full
        case .none: .none
        case .decorrelated: .decorrelated()
        }
    }
}

extension Setting<Transition> {
    package static var transition: Setting {
        Setting(
            "browser.transition", .choice, default: .fade,
            "Transition to a new picture: \(Transition.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
}

/// The pictures that appear with a transition: each, those that were not in memory, none.
package enum TransitionMoment: String, Sendable, CaseIterable {
    case always, loaded, never
}

extension Setting<TransitionMoment> {
    package static var transitionWhen: Setting {
        Setting(
            "browser.transition-when", .choice, default: .always,
            "The pictures that appear with a transition: always, loaded (not those from memory) or never.")
    }
}

extension Setting<OriginalCheck> {
    package static var check: Setting {
        Setting(
            "prefetch.check", .choice, default: .decode,
            "The check of each picture: decode finds damaged pixels; framing only checks its header and its end.")
    }
}

extension Setting<Set<ImageFormat>?> {
    package static var accept: Setting {
        Setting(
            "prefetch.accept", .formats, default: Set(ImageFormat.allCases),
            "The formats to cache, as jpg,png,webp: pictures for all of them, any for whatever the server sends.")
    }
}

/// How `alcedo prefetch` shows its progress.
package enum ProgressMode: String, Sendable, CaseIterable {
    case auto, always, never, plain
}

/// Names of what a picture file may replace; any other name is a path.
package enum BuiltInNames {
    package static let indicators = ["bar", "disc", "ring", "dots", "circle", "arc", "none"]
    package static let placeholders = ["card", "name", "blank"]
    package static let failures = ["card", "nothing"]
}

extension Setting<ProgressMode> {
    package static var progress: Setting {
        Setting(
            "prefetch.progress", .choice, default: .auto,
            "Progress in place or in lines: auto, always, plain, or never, which prints failures only.")
    }
}
