import Foundation
public import Moya

/// Runs a test with a transport that records the responses to the test's requests, or replays recorded responses.
///
/// ```swift
/// @Test func showsTheUser() async throws {
///     try await withReplay { transport in
///         let provider = MoyaProvider<GitHub>(transport: transport)
///         let response = try await provider.response(.user("octocat"))
///         #expect(response.statusCode == 200)
///     }
/// }
/// ```
/// If this test is in the file `UserTests.swift`, its recording is `Recordings/UserTests/showsTheUser.har` in the same
/// directory. The labels of parameters are part of the name, as in `shows(user,page).har`. To create the recording, run
/// the test with `MOYA_REPLAY=record` in the environment. If the test throws, no file is written.
///
/// If each `try` of the closure is inside `#expect`, the compiler does not see that the closure throws, and says
/// *errors thrown from here are not handled*: begin the closure with `transport throws in`.
///
/// - Parameters:
///   - name: the name of the recording. In a test with arguments, pass a name that contains the argument, so that each
///     argument has its own recording.
///   - mode: whether requests are replayed, recorded or sent.
///   - live: sends the requests that are not replayed; `nil` for the default transport of providers.
///   - options: how responses are found, delivered and recorded.
///   - file: the file of the test.
///   - isolation: the actor that the test runs on; defaults to the actor of the caller.
///   - body: the test.
/// - Returns: the result of the test.
/// - Throws: the error of the test; otherwise a ``ReplayError`` for requests that were not recorded, and for recorded
///   responses that were not requested.
public func withReplay<Result>(
    _ name: String = #function, mode: ReplayTransport.Mode = .environment, over live: (any Transport)? = nil,
    options: ReplayOptions = ReplayOptions(), file: String = #filePath, isolation: isolated (any Actor)? = #isolation,
    _ body: (ReplayTransport) async throws -> Result
) async throws -> Result {
    let recording = recordingFile(of: name, in: file)
    let transport = try ReplayTransport(recording, mode: mode, over: live, options: options)
    let result = try await body(transport)
    try transport.finish()
    return result
}

/// Returns the file of a recording.
///
/// - Parameters:
///   - name: the name of the recording, which may be the name of a function: `showsTheUser()` becomes `showsTheUser`,
///     and `shows(user:page:)` becomes `shows(user,page)`.
///   - test: the file of the test.
func recordingFile(of name: String, in test: String) -> URL {
    let test = URL(filePath: test)
    let plain = name.replacing("()", with: "").replacing(":)", with: ")").replacing(":", with: ",")
    let allowed = plain.map { character in
        character.isLetter || character.isNumber || "-_ ,=()".contains(character) ? character : "-"
    }
    return test.deletingLastPathComponent()
        .appending(path: "Recordings/\(test.deletingPathExtension().lastPathComponent)/\(String(allowed)).har")
}
