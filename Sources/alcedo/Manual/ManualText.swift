/// The texts of the manual that are not part of the commands' help.
enum ManualText {
    static let description = [
        """
        alcedo lists image URLs or files, loads them with live progress into a cache in memory and on disk, and shows the
        selected picture with the terminal's own graphics (sixel, kitty, iTerm2), or as coloured blocks.
        """,
        """
        Lists may be plain text with one URL or path per line, JSON of any shape, CSV or TSV, Markdown, HTML, sitemaps,
        RSS and Atom, folders, and gzip of any of these; they are recognised by their content. Bad lines, missing pictures
        and broken transfers are reported with line and reason, and the rest continues.
        """,
        "Failed downloads that may succeed later are retried; a host that keeps failing or asks for a pause is paused.",
    ]

    static let options = """
        Options override the environment, which overrides the config file, which overrides the defaults named here.
        """

    static let keys = """
        The default keys of the browser, each with its action and the name of the action in the section [keys] of the
        config file.
        """

    static let files: [(String, String)] = [
        (
            "~/.config/alcedo/config.toml",
            "The config file; alcedo config --default prints one with every setting and its comment."
        ),
        (
            "~/.config/alcedo/themes/NAME.toml",
            """
            A theme: base, the name of a built-in theme, and colours for any of text, dim, accent, selection, ok, warn,
            error, bar, barTrack and divider. A colour is "#rrggbb", a number from 0 to 255, one of the names black, red,
            green, yellow, blue, magenta, cyan and white, optionally prefixed with bright-, or default.
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
        ("~/.local/state/alcedo/sessions", "Marks, position and filter of lists, without addresses."),
        ("~/.local/state/alcedo/prefetch", "Journals of unfinished prefetches; a rerun resumes from there."),
    ]

    static let environment: [(String, String)] = [
        ("ALCEDO_CONFIG", "The config file, in place of the standard one."),
        ("ALCEDO_CACHE_DIR", "The disk cache's folder."),
        (
            "XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME",
            "Replace ~/.config, ~/.cache and ~/.local/state; relative paths are ignored."
        ),
        ("NO_COLOR", "If not empty, no colours are used."),
        ("LC_ALL, LC_CTYPE, LANG", "Unless the first one set names UTF-8, only ASCII characters are drawn."),
        ("TERM, COLORTERM, TERM_PROGRAM", "Identify the terminal, in addition to its own replies."),
        (
            "http_proxy, https_proxy, all_proxy, no_proxy",
            "The proxies, and the hosts to reach without one."
        ),
    ]

    static let exitCodes: [(String, String)] = [
        ("0", "Success."),
        ("1", "Failure at run time."),
        ("2", "Usage error: an option, the config file or a theme."),
        ("3", "Some pictures failed."),
        ("4", "All pictures failed."),
        ("129, 130, 143", "Terminated by SIGHUP, SIGINT or SIGTERM."),
    ]
}
