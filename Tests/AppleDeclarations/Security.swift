// swift-format-ignore-file
// The names are those of Apple's API, whose documentation describes them.

@_exported import AppleCoreFoundation

public final class SecTrust {}
public final class SecCertificate {}

public typealias OSStatus = Int32
public var errSecSuccess: OSStatus { 0 }

public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { notCalled() }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { notCalled() }
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus { notCalled() }
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    notCalled()
}
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    notCalled()
}
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { notCalled() }
