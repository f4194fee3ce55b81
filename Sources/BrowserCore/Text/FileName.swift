/// Names for files that are offered, made of what a server or a list calls a picture.
enum FileName {
    /// The name as one that stays in the folder where it is used, and is not hidden there.
    static func safe(_ name: String) -> String {
        let text = String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 }.drop { $0 == "." || $0 == "~" })
        return text.isEmpty ? "picture" : text
    }
}
