// swift-format-ignore-file
// The names are those of Apple's API, whose documentation describes them.

import AppleFoundation

open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) { notCalled() }
}
