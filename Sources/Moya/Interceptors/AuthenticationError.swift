public import Foundation

/// Why a credential could not be refreshed.
public enum AuthenticationError: LocalizedError {
    /// It was refreshed too often in too short a time, and refused each time.
    case tooManyRefreshes

    /// A sentence for people.
    public var errorDescription: String? {
        "The credential was refused after each of the refreshes that the limit allows: log in again."
    }
}
