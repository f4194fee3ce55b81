/// The texts of the manual that are not part of the commands' help.
enum ManualText {
    static let description = [
        """
        alcedo lists image URLs or files, loads them with live progress into a cache in memory and on disk, and shows the
        selected picture with the terminal's own graphics (sixel, kitty, iTerm2), or as coloured blocks.
        """,
        """
        Lists may be plain text with one URL or path a line, JSON of any shape, CSV or TSV, Markdown, HTML, sitemaps,
        RSS and Atom, folders, and gzip of any of these; they are recognised by what is in them. Bad lines, lost pictures
        and broken transfers are named with line and reason, and the rest goes on.
        """,
        "Failed downloads that may succeed later are retried; a host that keeps failing or asks for a pause is paused.",
    ]

    static let options = """
        Options come before the environment, the environment before the config file, and that before the defaults, which
        are named here.
        """

    static let keys = """
        Of the browser, unless the section [keys] of the config file binds others. Each is followed by what it does, and
        by the name that [keys] takes.
        """

    static let files: [(String, String)] = [
        (
            "~/.config/alcedo/config.toml",
            "The config file; alcedo config --default prints one with every setting and its comment."
        ),
        (
            "~/.config/alcedo/themes/NAME.toml",
            """
            A theme: base, the name of a theme of alcedo's, and colours for any of text, dim, accent, selection, ok, warn,
            error, bar, barTrack and divider. A colour is "#rrggbb", a number from 0 to 255, one of the names black, red,
            green, yellow, blue, magenta, cyan and white, with bright- before it or without, or default.
            """
        ),
        (
            "~/.cache/alcedo",
            "The disk cache, safe to delete at any time; several processes may share it."
        ),
        (
            "~/.local/state/alcedo/alcedo.log",
            "Failures and messages of the browser, without secrets; alcedo.log.1 is the previous one."
        ),
        ("~/.local/state/alcedo/prefetch", "Journals of unfinished prefetches; a rerun resumes from there."),
    ]

    static let environment: [(String, String)] = [
        ("ALCEDO_CONFIG", "The config file, in place of the standard one."),
        ("ALCEDO_CACHE_DIR", "The disk cache's folder."),
        (
            "XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME",
            "In place of ~/.config, ~/.cache and ~/.local/state, where they are absolute."
        ),
        ("NO_COLOR", "If not empty, no colours are used."),
        ("LC_ALL, LC_CTYPE, LANG", "Without UTF-8 in the first that is set, only ASCII signs are drawn."),
        ("TERM, COLORTERM, TERM_PROGRAM", "What the terminal is, beside what it answers itself."),
        (
            "http_proxy, https_proxy, all_proxy, no_proxy",
            "The proxies, and the hosts that are reached without one."
        ),
    ]

    static let exitCodes: [(String, String)] = [
        ("0", "All is well."),
        ("1", "It failed while running."),
        ("2", "Usage error: an option, the config file or a theme."),
        ("3", "Some pictures failed."),
        ("4", "All pictures failed."),
        ("129, 130, 143", "A signal ended it: SIGHUP, SIGINT, SIGTERM."),
    ]
}
