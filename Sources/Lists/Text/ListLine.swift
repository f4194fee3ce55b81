/// One line of a list, without its line end.
struct ListLine: Hashable {
    enum Fault: String, Error, Hashable {
        case tooLong = "the line is longer than 64 KiB"
        case notText = "the line is not valid UTF-8"
        case zero = "a NUL byte in the line"
    }

    /// From 1.
    var number: Int
    var content: Result<String, Fault>
}
