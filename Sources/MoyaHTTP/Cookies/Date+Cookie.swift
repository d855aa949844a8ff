import Foundation

extension Date {
    /// Parses the date of a cookie with the algorithm of RFC 6265, section 5.1.1; returns `nil` if the date is invalid.
    ///
    /// Unlike in other dates of HTTP, the day, month, year and time can have any order. A year can have two digits.
    init?(cookieDate text: String) {
        var fields = CookieDateFields()
        for token in text.utf8.split(whereSeparator: \.isDelimiter) { fields.take(token) }
        guard let time = fields.time, let day = fields.day, let month = fields.month, var year = fields.year else {
            return nil
        }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard (1...31).contains(day), year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59 else {
            return nil
        }
        let parts = DateComponents(
            calendar: .utc, timeZone: .gmt, year: year, month: month, day: day, hour: time.hour, minute: time.minute,
            second: time.second)
        guard parts.isValidDate, let date = parts.date else { return nil }
        self = date
    }
}

extension Calendar {
    fileprivate static let utc = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}

/// The components found in the text of a date; for each component, the first token that fits is used.
private struct CookieDateFields {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    var time: (hour: Int, minute: Int, second: Int)?
    var day: Int?
    var month: Int?
    var year: Int?

    mutating func take(_ token: Substring.UTF8View) {
        if time == nil, let found = Self.time(token) {
            time = found
        } else if day == nil, let found = Self.number(token, digits: 1...2) {
            day = found
        } else if month == nil, let found = Self.month(token) {
            month = found
        } else if year == nil, let found = Self.number(token, digits: 2...4) {
            year = found
        }
    }

    /// Parses the digits at the start of a token; returns `nil` if their count is not in the range `digits`.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let prefix = token.prefix(while: \.isDigit)
        return digits.contains(prefix.count) ? Int(Substring(prefix)) : nil
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = String(decoding: token.prefix(3), as: UTF8.self).asciiLowercased
        return months.firstIndex(of: name).map { $0 + 1 }
    }

    /// Parses a time such as `8:49:37`; ignores characters after the third number.
    private static func time(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 1...2),
            let minute = number(parts[1], digits: 1...2),
            parts[0].allSatisfy(\.isDigit), parts[1].allSatisfy(\.isDigit),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether the byte is a `delimiter` of RFC 6265, section 5.1.1.
    fileprivate var isDelimiter: Bool {
        switch self {
        case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }
}
