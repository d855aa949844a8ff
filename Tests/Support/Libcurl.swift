import Moya

/// Ranges of versions of libcurl that have different faults.
package enum Libcurl: CaseIterable {
    case below788, from788, from8

    package static let loaded: Libcurl = {
        #if os(Linux)
            let version = (try? CurlCapabilities())?.version ?? 0
            return version < 0x07_58_00 ? .below788 : version < 0x08_00_00 ? .from788 : .from8
        #else
            return .from788
        #endif
    }()
}
