package import Foundation

extension Date {
    /// Parses the date of a header field; `nil` unless it has one of the three formats of HTTP (RFC 9110, section
    /// 5.6.7) exactly, but for upper and lower case (RFC 9111, section 4.2) and the name of the day.
    ///
    /// A two-digit year (RFC 850 format) is in the latest century that puts the date at most 50 years after `now`.
    package init?(httpDate text: String, now: Date = Date()) {
        // The longest date is a Wednesday in the RFC 850 format, with 33 bytes.
        guard text.utf8.count <= 33 else { return nil }
        let words = text.utf8.map(\.lowercased).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let dayName = String(decoding: words[0], as: UTF8.self)
        let isZoned = words.last?.elementsEqual("gmt".utf8) == true
        if words.count == 6, isZoned, DateText.days.contains(where: { $0.prefix(3) + "," == dayName }) {
            // Sun, 06 Nov 1994 08:49:37 GMT
            self.init(DateText.number(words[3], 4...4), words[2], DateText.number(words[1], 2...2), words[4])
        } else if words.count == 4, isZoned, DateText.days.contains(where: { $0 + "," == dayName }) {
            // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard parts.count == 3, let year = DateText.number(parts[2], 2...2) else { return nil }
            let day = DateText.number(parts[0], 2...2)
            let limit = now.addingTimeInterval(50 * 365.2425 * 86_400)
            let dates = stride(from: 3000, through: 0, by: -100).lazy.compactMap {
                Date($0 + year, parts[1], day, words[2])
            }
            guard let date = dates.first(where: { $0 <= limit }) else { return nil }
            self = date
        } else if DateText.days.contains(where: { $0.prefix(3) == dayName }) {
            // Sun Nov  6 08:49:37 1994, or Sun Nov 16 08:49:37 1994
            let hasPadding = words.count == 6 && words[2].isEmpty
            guard words.count == 5 || hasPadding else { return nil }
            let day = DateText.number(words[words.count - 3], hasPadding ? 1...1 : 2...2)
            self.init(DateText.number(words[words.count - 1], 4...4), words[1], day, words[words.count - 2])
        } else {
            return nil
        }
    }

    private init?(_ year: Int?, _ month: ArraySlice<UInt8>, _ day: Int?, _ time: ArraySlice<UInt8>) {
        guard let year, month.count == 3, let month = DateText.month(month), let day, time.count == 8,
            let time = DateText.time(time, 2...2), time.hour < 24, time.minute < 60, time.second <= 60
        else { return nil }
        self.init(year, month, day, time)
    }

    /// Parses the date of a cookie (RFC 6265, section 5.1.1), in which day, month, year and time can have any order.
    init?(cookieDate text: String) {
        var time: (hour: Int, minute: Int, second: Int)?
        var (day, month, year) = (nil as Int?, nil as Int?, nil as Int?)
        // For each component, the first token that fits is used.
        let tokens = text.utf8.map(\.lowercased).split {
            $0 == 0x09 || (0x20...0x7e).contains($0) && !$0.isAlphanumeric && $0 != UInt8(ascii: ":")
        }
        for token in tokens {
            let digits = token.prefix(while: \.isDigit)
            if time == nil, let found = DateText.time(token, 1...2) {
                time = found
            } else if day == nil, let found = DateText.number(digits, 1...2) {
                day = found
            } else if month == nil, let found = DateText.month(token.prefix(3)) {
                month = found
            } else if year == nil, let found = DateText.number(digits, 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
        self.init(year, month, day, time)
    }

    private init?(_ year: Int, _ month: Int, _ day: Int, _ time: (hour: Int, minute: Int, second: Int)) {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard year > 0, day >= 1, day <= lengths[month - 1] else { return nil }
        let past = year - 1
        let days = past * 365 + past / 4 - past / 100 + past / 400 + lengths[..<(month - 1)].reduce(0, +) + day - 1
        let seconds = time.hour * 3600 + time.minute * 60 + time.second
        self.init(timeIntervalSince1970: Double((days - 719_162) * 86_400 + seconds))
    }
}

private enum DateText {
    static let days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    static func month(_ name: ArraySlice<UInt8>) -> Int? {
        months.firstIndex { $0.utf8.elementsEqual(name) }.map { $0 + 1 }
    }

    static func number(_ text: ArraySlice<UInt8>, _ digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Parses a time such as `08:49:37`; ignores characters after the third number.
    static func time(_ text: ArraySlice<UInt8>, _ digits: ClosedRange<Int>) -> (hour: Int, minute: Int, second: Int)? {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits), let minute = number(parts[1], digits),
            let second = number(parts[2].prefix(while: \.isDigit), digits)
        else { return nil }
        return (hour, minute, second)
    }
}
