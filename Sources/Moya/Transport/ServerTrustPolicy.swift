public import Foundation

/// Which servers an engine trusts, and how it shows itself to them.
///
/// ```swift
/// var trust = ServerTrustPolicy()
/// trust.pins["api.example"] = ["r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=", "…the one that is kept for later"]
/// let provider = MoyaProvider<Shop>(transport: try CurlTransport(trust: trust))
/// ```
/// An engine that cannot keep a policy throws when it is made. Names and dates of certificates are always checked.
public struct ServerTrustPolicy: Sendable, Hashable {
    /// The oldest version of TLS that is spoken.
    public enum TLSVersion: Sendable, Hashable {
        /// RFC 5246.
        case tls12
        /// RFC 8446.
        case tls13
    }

    /// A certificate and its key, for servers that ask for one.
    public struct ClientIdentity: Sendable, Hashable {
        /// The certificate, and those up to its authority behind it, in PEM.
        public let certificates: Data
        /// The private key, in PEM.
        public let privateKey: Data
        /// What the key is encrypted with, if it is.
        public let passphrase: String?

        /// An identity.
        public init(certificates: Data, privateKey: Data, passphrase: String? = nil) {
            self.certificates = certificates
            self.privateKey = privateKey
            self.passphrase = passphrase
        }
    }

    /// The system's authorities, and TLS 1.2 or newer: what an engine does that is told nothing.
    public static let system = ServerTrustPolicy()

    /// Certificates of more authorities, in PEM.
    public var authorities: [Data]
    /// Whether the system's authorities are trusted, too.
    public var trustsSystemAuthorities: Bool
    /// By host: the SHA-256 hashes of the public keys (SubjectPublicKeyInfo) of which the server must have one, in base 64.
    ///
    /// Give two, one of a key that is kept for later. Hosts that are not named need none.
    public var pins: [String: Set<String>]
    /// Shown to servers that ask for one.
    public var identity: ClientIdentity?
    /// The oldest version of TLS that is spoken.
    public var minimumTLSVersion: TLSVersion

    /// A policy; each property is described where it stands.
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

    /// The hashes of which a host must have one, nil if it needs none.
    ///
    /// The case of letters and a dot at the end make no other host.
    func pins(for host: String) -> Set<Data>? {
        func normal(_ host: String) -> String {
            let host = host.lowercased()
            return host.hasSuffix(".") ? String(host.dropLast()) : host
        }
        let host = normal(host)
        let hashes = pins.filter { normal($0.key) == host }.values
        return hashes.isEmpty ? nil : Set(hashes.joined().compactMap { Data(base64Encoded: $0) })
    }

    /// Refuses what is malformed: it would mean less trust than was wanted, or more.
    func validate() throws(MoyaError) {
        for authority in authorities where !authority.isPEM("CERTIFICATE") {
            throw .requestMapping("an authority of the trust policy is no certificate in PEM")
        }
        guard trustsSystemAuthorities || !authorities.isEmpty else {
            throw .requestMapping("the trust policy trusts no authority: name an authority, or trust the system's")
        }
        for (host, hashes) in pins {
            guard !hashes.isEmpty else {
                throw .requestMapping(
                    "the trust policy has an empty set of pins for \(host), which no server could meet")
            }
            for hash in hashes where Data(base64Encoded: hash)?.count != 32 {
                throw .requestMapping(
                    "the pin \(hash.debugDescription) of \(host) is no SHA-256 hash in base 64 (44 characters)")
            }
        }
        if let identity, !identity.certificates.isPEM("CERTIFICATE") || !identity.privateKey.isPEM("PRIVATE KEY") {
            throw .requestMapping("the identity of the trust policy is no certificate and private key in PEM")
        }
    }
}

extension Data {
    fileprivate func isPEM(_ label: String) -> Bool {
        let text = String(decoding: self, as: UTF8.self)
        return text.contains("-----BEGIN ") && text.contains("\(label)-----") && text.contains("-----END ")
    }
}
