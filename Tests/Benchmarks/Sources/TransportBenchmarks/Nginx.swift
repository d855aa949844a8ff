import Foundation
import Measuring

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An nginx with one worker on the loopback interface.
final class Nginx {
    let url: URL
    private let process = Process()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "moya-benchmarks-\(UUID().uuidString)")

    /// Starts an nginx.
    ///
    /// Its paths:
    /// - `/`: 60 bytes
    /// - `/slow`: 300 bytes in two seconds or more
    /// - `/big`: a file of `bytesOfBigFile` bytes
    /// - `/sink`: a response after the content of the request was read
    /// - `/never`: one byte a second
    /// - `/fresh` and `/fresh-big`: 60 bytes and 100 MB that a cache may reuse for an hour
    /// - `/fresh-gigabit`: the same 100 MB at 125 MB/s
    init(bytesOfBigFile: UInt64 = 500_000_000) throws {
        guard
            let executable = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
                .first(where: FileManager.default.isExecutableFile)
        else { throw CocoaError(.executableNotLoadable, userInfo: [NSLocalizedDescriptionKey: "there is no nginx"]) }
        let port = Int.random(in: 20_000...29_000)
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        self.url = url
        try FileManager.default.createDirectory(
            at: folder.appending(path: "root"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        let big = folder.appending(path: "root/big")
        _ = FileManager.default.createFile(atPath: big.path, contents: nil)
        try FileHandle(forWritingTo: big).truncate(atOffset: bytesOfBigFile)
        try Data(count: 300).write(to: folder.appending(path: "root/slow"))
        let freshBig = folder.appending(path: "root/fresh-big")
        _ = FileManager.default.createFile(atPath: freshBig.path, contents: nil)
        try FileHandle(forWritingTo: freshBig).truncate(atOffset: 100_000_000)
        let configuration = folder.appending(path: "nginx.conf")
        try Data(Self.configuration(folder.path, port).utf8).write(to: configuration)
        process.executableURL = URL(filePath: executable)
        process.arguments = ["-c", configuration.path, "-p", folder.path]
        try process.run()
    }

    /// Waits until the server responds.
    func awaitReadiness() async throws {
        try await Benchmarks.wait { (try? await URLSession.shared.data(from: self.url)) != nil }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(_ folder: String, _ port: Int) -> String {
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        let answer = String(repeating: "x", count: 60)
        return """
            daemon off; worker_processes 1; pid \(folder)/pid; error_log \(folder)/error.log;
            events { worker_connections 4096; }
            http {
                access_log off; keepalive_requests 1000000000; keepalive_timeout 1h; sendfile on;
                \(paths.map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " "))
                server {
                    listen \(port) backlog=4096;
                    root \(folder)/root;
                    client_max_body_size 0;
                    location = / { return 200 \(answer); }
                    location = /fresh { add_header Cache-Control max-age=3600; return 200 \(answer); }
                    location = /fresh-big { add_header Cache-Control max-age=3600; }
                    location = /fresh-gigabit { add_header Cache-Control max-age=3600; limit_rate 125m; alias \(folder)/root/fresh-big; }
                    location = /big { }
                    location = /slow { limit_rate 100; }
                    location = /sink { proxy_pass http://127.0.0.1:\(port)/; }
                    location = /never { limit_rate_after 1000; limit_rate 1; try_files /big =404; }
                }
            }
            """
    }
}
