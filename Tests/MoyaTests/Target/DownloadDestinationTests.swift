import Foundation
import Moya
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct DownloadDestinationTests {
    @Test(
        "RFC 6266: a suggested file name is that of `filename*` or `filename`, and sanitized",
        arguments: [
            ("attachment; filename=\"a.txt\"", "a.txt"),
            ("attachment; filename=\"../../etc/passwd\"", "_.._etc_passwd"),
            ("attachment", "file"), ("inline; size=1", "file"), ("attachment; filename=x.txt", "x.txt"),
            ("attachment; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
            ("attachment; filename=\"x.txt\"; filename*=utf-8'en'y.txt", "y.txt"),
            ("attachment; filename=\"x.txt\"; filename*=UTF-16''y.txt", "x.txt"),
            ("attachment; filename*=UTF-8''%2e%2e%2fy.txt", "_y.txt"), ("attachment; filename*=y", "file"),
            ("attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"), ("attachment; filename=\".bashrc\"", "bashrc"),
            ("attachment; filename=\"a\\\\b:c\"", "a_b_c"), (nil, "file"),
            ("attachment; filename=\"\(String(repeating: "x", count: 300))\"", String(repeating: "x", count: 255)),
        ] as [(String?, String)])
    func suggestedNames(_ disposition: String?, _ expected: String) throws {
        let headers = disposition.map { ["Content-Disposition": $0] }
        let url = try #require(URL(string: "http://a.example/dir/file"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: headers))
        let folder = URL(filePath: "/downloads")
        let file = RequestTask.suggestedDestination(in: folder)(URL(filePath: "/tmp/x"), response).destinationURL
        expectEqual(file.lastPathComponent, expected)
        expectEqual(file.deletingLastPathComponent().standardizedFileURL.path, folder.path)
    }

    @Test(
        "a URL without a name suggests `download`",
        arguments: ["http://a.example", "http://a.example/?q=1", "http://a.example//"])
    func withoutName(_ url: String) throws {
        let url = try #require(URL(string: url))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil))
        let folder = URL(filePath: "/downloads")
        let file = RequestTask.suggestedDestination(in: folder)(URL(filePath: "/tmp/x"), response).destinationURL
        expectEqual(file.lastPathComponent, "download")
    }
}
