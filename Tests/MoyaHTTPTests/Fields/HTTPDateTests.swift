import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite(.queued, .timeLimit(.minutes(10))) struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_780_000_000)

    @Test(
        "the three formats are parsed, with names in any case",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "SUN, 06 NOV 1994 08:49:37 gmt",
        ])
    func readsForms(_ text: String) {
        expectEqual(Date(httpDate: text, now: Self.now), Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        "any other text is not a date",
        arguments: [
            "", "0", "Sun", "Sun,", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 AEST",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov  1994 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun, 29 Feb 1900 08:49:37 GMT", String(repeating: "Sunday, ", count: 1000),
        ])
    func refusesOtherText(_ text: String) {
        #expect(Date(httpDate: text, now: Self.now) == nil)
    }

    @Test("a year of two digits is at most 50 years in the future")
    func readsShortYears() {
        let future = Date(httpDate: "Thursday, 18-Aug-50 02:01:18 GMT", now: Self.now)
        expectEqual(future, Date(httpDate: "Thu, 18 Aug 2050 02:01:18 GMT"))
        let past = Date(httpDate: "Sunday, 18-Aug-80 02:01:18 GMT", now: Self.now)
        expectEqual(past, Date(httpDate: "Mon, 18 Aug 1980 02:01:18 GMT"))
    }

    @Test("each day of four centuries equals that of the calendar")
    func agreesWithCalendar() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for day in stride(from: -134_774, to: 11_323, by: 7) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3661)
            expectEqual(Date(httpDate: formatter.string(from: date)), date)
        }
    }
}
