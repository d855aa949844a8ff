public import Foundation

/// The servers that a transport trusts, and the client certificate that it presents to them.
///
/// ```swift
/// var trust = ServerTrustPolicy()
/// trust.pins["api.example"] = ["r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=", "…the hash of the backup key"]
/// let provider = MoyaProvider<Shop>(transport: try CurlTransport(trust: trust))
/// ```
/// The initializer of a transport throws if it cannot enforce the policy. Names and dates of certificates are always
/// checked.
public struct ServerTrustPolicy: Sendable, Hashable {
    /// The minimum version of TLS.
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// A client certificate and its key, for servers that request one.
    public struct ClientIdentity: Sendable, Hashable {
        /// The certificate, followed by its intermediate certificates, in PEM.
        public let certificates: Data
        /// The private key, in PEM.
        public let privateKey: Data
        /// The passphrase of ``privateKey``; `nil` if the key is not encrypted.
        public let passphrase: String?

        /// Creates an identity.
        public init(certificates: Data, privateKey: Data, passphrase: String? = nil) {
            self.certificates = certificates
            self.privateKey = privateKey
            self.passphrase = passphrase
        }
    }

    /// The default policy: the system's authorities, and TLS 1.2 or newer.
    public static let system = ServerTrustPolicy()

    /// The certificates of additional certificate authorities, in PEM.
    public var authorities: [Data]
    /// Whether the system's authorities are trusted in addition to ``authorities``.
    public var trustsSystemAuthorities: Bool
    /// The pinned public keys of each host, as SHA-256 hashes (of SubjectPublicKeyInfo) in base 64.
    ///
    /// The server must have one of the pinned keys. Otherwise, the request fails with an error of the kind `tls`, whose
    /// text has the pins: someone may be intercepting the connection. Pin two keys of each host: the current key and a
    /// backup key. A host without pins may have any key: the pins of a host do not apply to its subdomains.
    public var pins: [String: Set<String>]
    /// The identity that is presented to servers that request one.
    public var identity: ClientIdentity?
    /// The minimum version of TLS.
    public var minimumTLSVersion: TLSVersion

    /// Creates a policy; see its properties.
    public init(
        authorities: [Data] = [], trustsSystemAuthorities: Bool = true, pins: [String: Set<String>] = [:],
        identity: ClientIdentity? = nil, minimumTLSVersion: TLSVersion = .tls12
    ) {
        self.authorities = authorities
        self.trustsSystemAuthorities = trustsSystemAuthorities
        self.pins = pins
        self.identity = identity
        self.minimumTLSVersion = minimumTLSVersion
    }

    // Host names are compared as URLs have them.
    package func pins(for host: String) -> Set<Data>? {
        guard !pins.isEmpty else { return nil }
        let host = host.canonicalHost
        let hashes = pins.filter { $0.key.canonicalHost == host }.values
        return hashes.isEmpty ? nil : Set(hashes.joined().compactMap { Data(base64Encoded: $0) })
    }

    package func pinMismatch(at url: URL) -> URLError {
        let host = url.host(percentEncoded: false) ?? ""
        let hashes = (pins(for: host) ?? []).map { $0.base64EncodedString() }.sorted().joined(separator: ", ")
        let reason = "the server's key matches none of the pins of \(host) (\(hashes))"
        return URLError(.serverCertificateUntrusted, .pinning, url, reason)
    }

    package func validate() throws(TransportError) {
        for authority in authorities where authority.certificatesInPEM == nil {
            throw .invalid("an authority of the trust policy is not a certificate in PEM, or is damaged")
        }
        guard trustsSystemAuthorities || !authorities.isEmpty else {
            throw .invalid("the trust policy trusts no authority. Add an authority, or trust the system's.")
        }
        for (host, hashes) in pins {
            guard host.canonicalHost != nil else {
                throw .invalid(
                    "the trust policy has pins for \(host.debugDescription), which is not the name of a host. Write the "
                        + "name without a scheme, a port, a path and wildcards.")
            }
            guard !hashes.isEmpty else {
                throw .invalid(
                    "the trust policy has an empty set of pins for \(host), so that no server is trusted. Add a pin.")
            }
            for hash in hashes where Data(base64Encoded: hash)?.count != 32 {
                throw .invalid(
                    "the pin \(hash.debugDescription) of \(host) is not a SHA-256 hash in base 64 (44 characters)")
            }
        }
        if let identity, !identity.certificates.isPEM("CERTIFICATE") || !identity.privateKey.isPEM("PRIVATE KEY") {
            throw .invalid("the identity of the trust policy is not a certificate and private key in PEM")
        }
    }
}

extension Data {
    fileprivate func isPEM(_ label: String) -> Bool {
        let text = String(decoding: self, as: UTF8.self)
        return text.contains("-----BEGIN ") && text.contains("\(label)-----") && text.contains("-----END ")
    }

    /// The certificates of a file in PEM (RFC 7468), in DER; `nil` if it has none, or a block that is no DER sequence
    /// in base 64: TLS libraries read none of the certificates then.
    package var certificatesInPEM: [Data]? {
        // A label that is not the whole line is ignored.
        let text = "\n\(String(decoding: self, as: UTF8.self))".replacing("\r\n", with: "\n")
            .replacing(/\ (X509|TRUSTED)\ CERTIFICATE-----/, with: " CERTIFICATE-----")
        let blocks = text.components(separatedBy: "\n-----BEGIN CERTIFICATE-----").dropFirst()
        let certificates = blocks.compactMap { block -> Data? in
            let text = block.components(separatedBy: "-----END CERTIFICATE-----")
            guard text.count > 1, text[0].prefix(while: { $0 != "\n" }).allSatisfy(\.isWhitespace),
                let der = Data(base64Encoded: text[0], options: .ignoreUnknownCharacters),
                // The length of a certificate has two bytes, nearly always.
                der.count > 4, der[0] == 0x30, der[1] != 0x82 || Int(der[2]) << 8 + Int(der[3]) + 4 <= der.count
            else { return nil }
            return der
        }
        return certificates.isEmpty || certificates.count < blocks.count ? nil : certificates
    }
}
