import Foundation

/// The date format of HTTP headers (RFC 9110, 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    static func text(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let part = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        let clock = [part.hour, part.minute, part.second].map { twoDigits($0) }.joined(separator: ":")
        let day = name(days, part.weekday)
        return "\(day), \(twoDigits(part.day)) \(name(months, part.month)) \(part.year ?? 1970) \(clock) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func name(_ names: [String], _ number: Int?) -> String {
        let index = (number ?? 1) - 1
        return names.indices.contains(index) ? names[index] : ""
    }

    private static func twoDigits(_ number: Int?) -> String {
        let text = String(number ?? 0)
        return text.count < 2 ? "0" + text : text
    }
}
