import ImageLoading

extension ConfigurationSection {
    static let transfers = ConfigurationSection(
        name: "transfers", documentation: "How much is downloaded and decoded, and how fast.",
        settings: [
            Setting<Int>.jobs, Setting<Int>.perHost, Setting<Int>.maximumBytes, Setting<Int>.megapixels,
            Setting<Int>.frames, Setting<SandboxMode>.sandbox, Setting<Int>.memory, Setting<Duration>.timeout,
            Setting<Double>.requestRate, Setting<Int>.limitRate,
        ])
}

extension Setting<Int> {
    package static var jobs: Setting {
        Setting(
            "transfers.jobs", .number(in: 1...1024), default: LibrarySettings().jobs, "Downloads at a time."
        )
    }

    package static var perHost: Setting {
        Setting(
            "transfers.per-host", .number(in: 1...1024), default: LibrarySettings().perHost,
            "Downloads at a time from one host.")
    }

    package static var maximumBytes: Setting {
        Setting(
            "transfers.max-size", .bytes, default: LibrarySettings().maximumBytes,
            "Largest download or local file, with K, M or G.")
    }

    package static var megapixels: Setting {
        Setting(
            "transfers.max-pixels", .number(in: 1...10_000), default: DecodeLimits.standard.pixels / 1_000_000,
            "Largest picture that is decoded, in megapixels; each takes 4 MB of memory.")
    }

    package static var frames: Setting {
        Setting(
            "transfers.max-frames", .number(in: 1...1_000_000), default: DecodeLimits.standard.frames,
            "Largest number of frames of an animation that is decoded.")
    }

    package static var memory: Setting {
        Setting(
            "transfers.memory", .bytes, default: LibrarySettings().memory,
            "Memory for pictures, with K, M or G: half for the cache, half for decoding; a larger picture is decoded alone."
        )
    }

    package static var limitRate: Setting {
        Setting(
            "transfers.limit-rate", .bytesOrNone, default: LibrarySettings().bytesPerSecond,
            "Bytes per second of all downloads together, with K, M or G; 0 for no limit.")
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
            "transfers.timeout", .duration, default: LibrarySettings().timeout,
            "Time-out without data; 0s uses 10 s to connect, 15 s for the response, 30 s between reads.")
    }
}

extension Setting<Double> {
    package static var requestRate: Setting {
        Setting(
            "transfers.rate", .rate, default: LibrarySettings().requestsPerSecond,
            "Request rate per host, as 10/s or 30/m; 0 for no limit.")
    }
}
