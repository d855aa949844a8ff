import Foundation
import Moya
import TerminalSupport

/// Describes an error in words that help the user of the command.
func explain(_ error: any Error) -> String {
    guard let error = error as? MoyaError else { return error.localizedDescription }
    let message = error.body(as: ErrorMessage.self)?.message.printable
    switch (error.kind, error.response?.statusCode) {
    case (.offline, _), (.unreachable, _), (.timeout, _):
        return "GitHub cannot be reached; try again later, or use --offline. The reason: \(error)"
    case (.http, 401): return "GitHub requires a valid token: set GITHUB_TOKEN."
    case (.http, 403), (.http, 429):
        return "GitHub refuses the request: \(message ?? "no reason"). A token in GITHUB_TOKEN raises the limits."
    case (.http, let status?): return "GitHub responds with the status code \(status): \(message ?? "no message")."
    default: return "\(error)"
    }
}
