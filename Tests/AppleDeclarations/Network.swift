// swift-format-ignore-file
// The names are those of Apple's API, whose documentation describes them.

import Dispatch
import Foundation
import FoundationNetworking

public enum NWEndpoint: Sendable {
    public enum Host: Sendable {
        case name(String)
        public init(_ string: String) { self = .name(string) }
    }

    public struct Port: Sendable {
        public init?(rawValue: UInt16) {}
    }

    case hostPort(host: Host, port: Port)
}

public class NWProtocolTLS {
    public class Options {
        public init() {}
    }
}

public struct ProxyConfiguration: Sendable {
    public var excludedDomains: [String]

    public init(httpCONNECTProxy: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) { excludedDomains = [] }
    public init(socksv5Proxy: NWEndpoint) { excludedDomains = [] }

    public mutating func applyCredential(username: String, password: String) {}
}

public struct NWPath: Sendable {
    public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }

    public var status: Status { .satisfied }
}

public final class NWPathMonitor: @unchecked Sendable {
    public init() {}

    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
    public var currentPath: NWPath { NWPath() }

    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}

extension URLSessionConfiguration {
    public var proxyConfigurations: [ProxyConfiguration] {
        get { [] }
        set {}
    }
}
