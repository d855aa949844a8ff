package import Foundation

extension Date {
    /// Parses the date of a header field in one of the three formats of HTTP (RFC 9110, section 5.6.7); returns `nil`
    /// for any other text.
    ///
    /// The text must match a format exactly: the zone is `GMT`, and the numbers of digits and spaces are fixed. Upper
    /// and lower case are equivalent (RFC 9111, section 4.2). The name of the day need not match the date.
    package init?(httpDate text: String) {
        self.init(httpDate: text, now: Date())
    }

    /// Parses the date of a header field.
    ///
    /// - Parameter now: the current time. A date in the RFC 850 format has a year of two digits. Its century is the
    ///   latest one for which the date is at most 50 years after `now`.
    package init?(httpDate text: String, now: Date) {
        // The longest date is a Wednesday in the RFC 850 format, with 33 bytes.
        guard text.utf8.count <= 33 else { return nil }
        var reader = HTTPDateReader(Array(text.utf8))
        guard let date = reader.date(now: now) else { return nil }
        self = date
    }
}

/// Parses the text of an HTTP date from left to right.
private struct HTTPDateReader {
    private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].map { Array($0.utf8) }
    private static let longDays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ].map { Array($0.utf8) }
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ].map { Array($0.utf8) }

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func date(now: Date) -> Date? {
        if name(of: Self.longDays) != nil { return rfc850Date(now: now) }
        guard name(of: Self.days) != nil else { return nil }
        return take(",") ? imfFixdate() : asctimeDate()
    }

    /// Parses the rest of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, after the comma.
    private mutating func imfFixdate() -> Date? {
        guard take(" "), let day = number(2), take(" "), let month = name(of: Self.months), take(" "),
            let year = number(4), take(" "), let time = time(), take(" GMT"), index == bytes.count
        else { return nil }
        return Self.date(year, month + 1, day, time)
    }

    /// Parses the rest of a date such as `Sunday, 06-Nov-94 08:49:37 GMT`, after the name of the day.
    private mutating func rfc850Date(now: Date) -> Date? {
        guard take(", "), let day = number(2), take("-"), let month = name(of: Self.months), take("-"),
            let shortYear = number(2), take(" "), let time = time(), take(" GMT"), index == bytes.count
        else { return nil }
        let limit = now.addingTimeInterval(50 * 365.2425 * 86_400)
        let century = Self.year(of: limit) / 100 * 100
        guard let date = Self.date(century + shortYear, month + 1, day, time) else {
            return Self.date(century - 100 + shortYear, month + 1, day, time)
        }
        return date <= limit ? date : Self.date(century - 100 + shortYear, month + 1, day, time)
    }

    /// Parses the rest of a date such as `Sun Nov  6 08:49:37 1994`, after the name of the day.
    private mutating func asctimeDate() -> Date? {
        guard take(" "), let month = name(of: Self.months), take(" "), let day = take(" ") ? number(1) : number(2),
            take(" "), let time = time(), take(" "), let year = number(4), index == bytes.count
        else { return nil }
        return Self.date(year, month + 1, day, time)
    }

    /// Parses a time of day; returns the number of seconds since midnight.
    private mutating func time() -> Int? {
        guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private mutating func take(_ text: String) -> Bool {
        let start = index
        for byte in text.utf8 {
            guard index < bytes.count, bytes[index].lowercased == byte.lowercased else {
                index = start
                return false
            }
            index += 1
        }
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard index + digits <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + digits] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        index += digits
        return value
    }

    /// Reads one of `names` and returns its index; returns `nil` if the unread text begins with none of them.
    private mutating func name(of names: [[UInt8]]) -> Int? {
        for (position, name) in names.enumerated() where index + name.count <= bytes.count {
            guard zip(bytes[index...], name).allSatisfy({ $0.lowercased == $1 }) else { continue }
            index += name.count
            return position
        }
        return nil
    }

    /// Returns the date for a day of the Gregorian calendar and a time of day in seconds; `nil` if the day does not
    /// exist.
    private static func date(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Date? {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year > 0, day >= 1, day <= lengths[month - 1] else { return nil }
        let past = year - 1
        let days = past * 365 + past / 4 - past / 100 + past / 400 + lengths[..<(month - 1)].reduce(0, +) + day - 1
        return Date(timeIntervalSince1970: Double((days - 719_162) * 86_400 + time))
    }

    private static func year(of date: Date) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.component(.year, from: date)
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
