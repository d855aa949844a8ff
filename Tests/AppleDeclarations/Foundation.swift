// swift-format-ignore-file
// The names are those of Apple's API, whose documentation describes them.

// Foundation of Linux, with the declarations that it has in other modules on Linux or lacks.
@_exported import AppleCoreFoundation
@_exported import Darwin
@_exported import Foundation
@_exported import FoundationNetworking
import Security

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { notCalled() }
}

extension Stream {
    public class func getBoundStreams(
        withBufferSize bufferSize: Int, inputStream: UnsafeMutablePointer<InputStream?>?,
        outputStream: UnsafeMutablePointer<OutputStream?>?
    ) { notCalled() }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { notCalled() }
}

extension URLSessionTaskTransactionMetrics {
    public var remotePort: Int? { notCalled() }
}

extension URLSessionConfiguration {
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { notCalled() }
        set { notCalled() }
    }
}

extension URLRequest {
    public var allowsExpensiveNetworkAccess: Bool {
        get { notCalled() }
        set { notCalled() }
    }
    public var allowsConstrainedNetworkAccess: Bool {
        get { notCalled() }
        set { notCalled() }
    }
    public var assumesHTTP3Capable: Bool {
        get { notCalled() }
        set { notCalled() }
    }
}

// Unavailable on Linux.
extension URLSession {
    public func streamTask(withHostName hostname: String, port: Int) -> URLSessionStreamTask { notCalled() }
}

extension URLSessionStreamTask {
    public func startSecureConnection() { notCalled() }

    public func write(
        _ data: Data, timeout: TimeInterval, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) { notCalled() }

    public func readData(
        ofMinLength minBytes: Int, maxLength maxBytes: Int, timeout: TimeInterval,
        completionHandler: @escaping @Sendable (Data?, Bool, (any Error)?) -> Void
    ) { notCalled() }
}

public var NSURLAuthenticationMethodServerTrust: String { notCalled() }
public var NSURLAuthenticationMethodClientCertificate: String { notCalled() }
