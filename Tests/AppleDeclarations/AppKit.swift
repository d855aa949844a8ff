// swift-format-ignore-file
// The names are those of Apple's API, whose documentation describes them.

import AppleFoundation

open class NSImage: NSObject {
    public init?(data: Data) { notCalled() }
}
