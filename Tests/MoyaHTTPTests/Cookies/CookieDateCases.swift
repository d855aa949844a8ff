import Testing

/// Cases for the date algorithm of RFC 6265, 5.1.1.
struct CookieDateCase: Sendable, CustomTestStringConvertible {
    let text: String
    /// Seconds since 1970, or `nil` if the text is not a date.
    let seconds: Int?
    var testDescription: String { text.debugDescription }

    init(_ text: String, _ seconds: Int?) {
        self.text = text
        self.seconds = seconds
    }
}

extension CookieDateCase {
    static let all: [CookieDateCase] = [
        formats, delimited, months, words, days, years, times, others,
    ].flatMap(\.self)

    /// Tab, and all printable characters that are neither alphanumeric nor the colon.
    private static let delimiters = "\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~"

    static let delimited: [CookieDateCase] = delimiters.map { .init("06\($0)Nov\($0)1994\($0)08:49:37", 784_111_777) }

    /// The formats of RFC 9110, and the same components in other orders.
    static let formats: [CookieDateCase] = [
        .init("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), .init("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        .init("Sun Nov  6 08:49:37 1994", 784_111_777), .init("1994 Nov 6 08:49:37", 784_111_777),
        .init("08:49:37 6 Nov 1994", 784_111_777), .init("Nov 6 1994 08:49:37", 784_111_777),
        .init("08:49:37 1994 06 Nov", 784_111_777), .init("1994-Nov-06 08:49:37", 784_111_777),
        .init("6/Nov/1994/08:49:37", 784_111_777), .init("Sun Nov  6 08:49:37 GMT 1994", 784_111_777),
        .init("\"Sun, 06 Nov 1994 08:49:37 GMT\"", 784_111_777), .init("  ,; 06 Nov 1994 08:49:37 ;,  ", 784_111_777),
        .init("06--Nov--1994--08:49:37", 784_111_777), .init("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        .init("Thu, 01-Jan-1970 00:00:01 GMT", 1), .init("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        .init("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648), .init("Mon, 10-Dec-2007 17:02:24 GMT", 1_197_306_144),
        .init("Mon Dec 24 16:32:39 1977 GMT", 251_829_159), .init("Tue, 05 Jul 2099 05:59:59 GMT", 4_086_914_399),
    ]

    static let months: [CookieDateCase] = [
        .init("15 Jan 2001 12:00:00", 979_560_000), .init("15 Feb 2001 12:00:00", 982_238_400),
        .init("15 Mar 2001 12:00:00", 984_657_600), .init("15 Apr 2001 12:00:00", 987_336_000),
        .init("15 May 2001 12:00:00", 989_928_000), .init("15 Jun 2001 12:00:00", 992_606_400),
        .init("15 Jul 2001 12:00:00", 995_198_400), .init("15 Aug 2001 12:00:00", 997_876_800),
        .init("15 Sep 2001 12:00:00", 1_000_555_200), .init("15 Oct 2001 12:00:00", 1_003_147_200),
        .init("15 Nov 2001 12:00:00", 1_005_825_600), .init("15 Dec 2001 12:00:00", 1_008_417_600),
    ]

    /// Names of days, of months and of zones.
    static let words: [CookieDateCase] = [
        .init("06 Nov 1994 08:49:37 PST", 784_111_777), .init("06 Nov 1994 08:49:37 +0200", 784_111_777),
        .init("06 Nov 1994 08:49:37 GMT+02:00", 784_111_777), .init("06 Nov +0200 1994 08:49:37", nil),
        .init("Sun Nov 6 08:49:37 +0200 1994", nil), .init("Mon, 06 Nov 1994 08:49:37", 784_111_777),
        .init("b, 06 Nov 1994 08:49:37", 784_111_777), .init("lundi 06 Nov 1994 08:49:37", 784_111_777),
        .init("Mar, 06 Nov 1994 08:49:37", 762_943_777), .init("06 Nov Dec 1994 08:49:37", 784_111_777),
        .init("06 Foo Nov 1994 08:49:37", 784_111_777), .init("06 nov 1994 08:49:37", 784_111_777),
        .init("06 NOV 1994 08:49:37", 784_111_777), .init("06 nOv 1994 08:49:37", 784_111_777),
        .init("06 November 1994 08:49:37", 784_111_777), .init("06 Novb 1994 08:49:37", 784_111_777),
        .init("06 Nov. 1994 08:49:37", 784_111_777), .init("06 Nov5 1994 08:49:37", 784_111_777),
        .init("06 Nov\u{301} 1994 08:49:37", 784_111_777), .init("06 No 1994 08:49:37", nil),
        .init("06 11 1994 08:49:37", nil), .init("06 xNov 1994 08:49:37", nil),
        .init("06 \u{301}Nov 1994 08:49:37", nil), .init("06 \u{FF2E}ov 1994 08:49:37", nil),
    ]

    /// Days of the month.
    static let days: [CookieDateCase] = [
        .init("6 Nov 1994 08:49:37", 784_111_777), .init("6th Nov 1994 08:49:37", 784_111_777),
        .init("06th Nov 1994 08:49:37", 784_111_777), .init("06\u{301} Nov 1994 08:49:37", 784_111_777),
        .init("06: Nov 1994 08:49:37", 784_111_777), .init("10:20 Nov 1994 08:49:37", 784_457_377),
        .init("08:49:37 09:00:00 Nov 1994", 784_370_977), .init("06 07 Nov 1994 08:49:37", 1_194_338_977),
        .init("1 Nov 1994 08:49:37", 783_679_777), .init("30 Nov 1994 08:49:37", 786_185_377),
        .init("31 Dec 1994 08:49:37", 788_863_777), .init("31 Nov 1994 08:49:37", nil),
        .init("32 Dec 1994 08:49:37", nil), .init("0 Nov 1994 08:49:37", nil), .init("00 Nov 1994 08:49:37", nil),
        .init("006 Nov 1994 08:49:37", nil), .init("99 Nov 1994 08:49:37", nil),
        .init("29 Feb 1996 08:49:37", 825_583_777), .init("29 Feb 2000 08:49:37", 951_814_177),
        .init("29 Feb 2096 08:49:37", 3_981_343_777), .init("29 Feb 1900 08:49:37", nil),
        .init("29 Feb 2100 08:49:37", nil), .init("29 Feb 1994 08:49:37", nil), .init("30 Feb 1996 08:49:37", nil),
        .init("31 Apr 1994 08:49:37", nil), .init("06Nov 1994 08:49:37", nil), .init("06Nov1994 08:49:37", nil),
        .init("b6 Nov 1994 08:49:37", nil), .init("\u{660}\u{666} Nov 1994 08:49:37", nil),
        .init("\u{FF10}\u{FF16} Nov 1994 08:49:37", nil),
    ]

    /// Years of two to four digits.
    static let years: [CookieDateCase] = [
        .init("06 Nov 94 08:49:37", 784_111_777), .init("06 94 Nov 08:49:37", 784_111_777),
        .init("94 06 Nov 08:49:37", nil), .init("06 Nov 70 08:49:37", 26_729_377),
        .init("06 Nov 99 08:49:37", 941_878_177), .init("06 Nov 00 08:49:37", 973_500_577),
        .init("06 Nov 68 08:49:37", 3_119_417_377), .init("06 Nov 69 08:49:37", 3_150_953_377),
        .init("06 Nov 094 08:49:37", 784_111_777), .init("06 Nov 069 08:49:37", 3_150_953_377),
        .init("06 Nov 0094 08:49:37", 784_111_777), .init("06 Nov 0000 08:49:37", 973_500_577),
        .init("06 Nov 194 08:49:37", nil), .init("06 Nov 100 08:49:37", nil), .init("06 Nov 1600 08:49:37", nil),
        .init("06 Nov 1601 08:49:37", -11_617_744_223), .init("06 Nov 9999 08:49:37", 253_397_494_177),
        .init("06 Nov 10000 08:49:37", nil), .init("06 Nov 19945 08:49:37", nil),
        .init("06 Nov 1994b 08:49:37", 784_111_777), .init("06 Nov 1994: 08:49:37", 784_111_777),
        .init("06 Nov 94th 08:49:37", 784_111_777), .init("06 Nov -1994 08:49:37", 784_111_777),
        .init("06 Nov 1994 1995 08:49:37", 784_111_777), .init("06 Nov 4 08:49:37", nil),
        .init("06 Nov b94 08:49:37", nil), .init("06 Nov 08:49:37", nil),
    ]

    /// Hours, minutes and seconds.
    static let times: [CookieDateCase] = [
        .init("06 Nov 1994 8:49:37", 784_111_777), .init("06 Nov 1994 8:4:7", 784_109_047),
        .init("06 Nov 1994 00:00:00", 784_080_000), .init("06 Nov 1994 23:59:59", 784_166_399),
        .init("06 Nov 1994 08:49:37Z", 784_111_777), .init("06 Nov 1994 08:49:37PM", 784_111_777),
        .init("06 Nov 1994 08:49:37:12", 784_111_777), .init("06 Nov 1994 08:49:37.123", 784_111_777),
        .init("08:49:37.123 06 Nov 1994", nil), .init("06 Nov 1994 08:49:37 09:00:00", 784_111_777),
        .init("06 Nov 1994 09:00 08:49:37", 784_111_777), .init("06 Nov 1994 08:49:37\u{301}", 784_111_777),
        .init("06 Nov 1994 24:00:00", nil), .init("06 Nov 1994 08:60:00", nil), .init("06 Nov 1994 08:49:60", nil),
        .init("06 Nov 1994 99:99:99", nil), .init("06 Nov 1994 08:49", nil), .init("06 Nov 1994 08:49:", nil),
        .init("06 Nov 1994 08::37", nil), .init("06 Nov 1994 :49:37", nil), .init("06 Nov 1994 084937", nil),
        .init("06 Nov 1994 008:49:37", nil), .init("06 Nov 1994 08:049:37", nil), .init("06 Nov 1994 08:49:377", nil),
        .init("06 Nov 1994 08 : 49 : 37", nil), .init("06 Nov 1994 08.49.37", nil), .init("06 Nov 1994 T08:49:37", nil),
        .init("06 Nov 1994 24:00:00 08:49:37", nil), .init("06 Nov 1994 \u{660}\u{668}:49:37", nil),
        .init("06 Nov 1994", nil),
    ]

    /// Texts that are not dates.
    static let others: [CookieDateCase] = [
        .init("", nil), .init(" ", nil), .init(",", nil), .init("GMT", nil), .init("never", nil), .init("0", nil),
        .init("-1", nil), .init("784111777", nil), .init("1994", nil), .init("Sun, 06 Nov 1994", nil),
        .init("1994-11-06T08:49:37Z", nil), .init("1994-11-06 08:49:37", nil), .init("11/06/1994 08:49:37", nil),
        .init("06\u{A0}Nov 1994 08:49:37", nil), .init("06:Nov:1994:08:49:37", nil),
        .init("06\nNov 1994 08:49:37", nil), .init("06\r\nNov 1994 08:49:37", nil),
        .init("06\u{0}Nov 1994 08:49:37", nil), .init("06\u{7F}Nov 1994 08:49:37", nil),
        .init("06\u{2003}Nov 1994 08:49:37", nil), .init("06\u{2212}Nov 1994 08:49:37", nil),
    ]
}
