#if os(Linux)
    import Foundation
    import Moya
    import TestSupport
    import Testing

    @Suite(.queued, .timeLimit(.minutes(10))) struct ServerTrustPolicyTests {
        private static let pem = Data("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n".utf8)

        private static let pin = Data(count: 32).base64EncodedString()

        static let malformed: [(ServerTrustPolicy, String)] = [
            (ServerTrustPolicy(authorities: [Data("none".utf8)]), "is not a certificate in PEM"),
            (ServerTrustPolicy(authorities: [pem]), "or is damaged"),
            (
                ServerTrustPolicy(
                    authorities: [Data("-----BEGIN CERTIFICATE-----\nMIIAAgA=\n-----END CERTIFICATE-----".utf8)]),
                "or is damaged"
            ),
            (ServerTrustPolicy(authorities: [Data("  ".utf8) + pem]), "or is damaged"),
            (
                ServerTrustPolicy(
                    authorities: [Data("-----BEGIN CERTIFICATE----- MAMCAQA= -----END CERTIFICATE-----".utf8)]),
                "or is damaged"
            ),
            (ServerTrustPolicy(trustsSystemAuthorities: false), "trusts no authority"),
            (ServerTrustPolicy(pins: ["a.example": []]), "an empty set of pins for a.example"),
            (ServerTrustPolicy(pins: ["a.example": ["abc"]]), #"the pin "abc" of a.example is not a SHA-256 hash"#),
            (
                ServerTrustPolicy(pins: ["a.example": ["x;sha256//" + Data(count: 32).base64EncodedString()]]),
                "is not a SHA-256 hash"
            ),
            (ServerTrustPolicy(pins: ["a.example:443": [pin]]), #""a.example:443", which is not the name of a host"#),
            (ServerTrustPolicy(pins: ["https://a.example": [pin]]), "is not the name of a host"),
            (ServerTrustPolicy(pins: ["*.a.example": [pin]]), "is not the name of a host"),
            (ServerTrustPolicy(pins: [".a.example": [pin]]), "is not the name of a host"),
            (ServerTrustPolicy(pins: ["*": [pin]]), "is not the name of a host"),
            (
                ServerTrustPolicy(identity: .init(certificates: pem, privateKey: Data("none".utf8))),
                "is not a certificate and private key in PEM"
            ),
        ]

        @Test("a malformed policy is refused when the transport is created", arguments: malformed.indices)
        func refuses(_ index: Int) {
            let (policy, reason) = Self.malformed[index]
            let error = #expect(throws: TransportError.self) { try CurlTransport(trust: policy) }
            expectEqual(error?.kind, .request)
            #expect(error?.description.contains(reason) == true)
        }

        @Test(
            "pins apply to a host in each of its spellings",
            arguments: [
                ("A.Example", "a.example"), ("a.example", "a.example."), ("[::1]", "::1"), ("::1", "[::1]"),
                ("münchen.example", "xn--mnchen-3ya.example"), ("xn--mnchen-3ya.example", "MÜNCHEN.example"),
            ])
        func spellings(_ name: String, _ host: String) {
            let policy = ServerTrustPolicy(pins: [name: [Self.pin]])
            expectEqual(policy.pins(for: host), [Data(count: 32)])
            #expect(policy.pins(for: "b.example") == nil)
        }

        /// Returns the number of open files in memory that contain a marker.
        private static func filesInMemory(_ mark: String) -> Int {
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return descriptors.count { descriptor in
                let path = "/proc/self/fd/\(descriptor)"
                guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path))?.hasPrefix("/memfd:") == true
                else { return false }
                return (try? String(contentsOfFile: path, encoding: .utf8))?.contains(mark) == true
            }
        }

        private static func filesOnDisk(_ mark: String) -> Int {
            let folder = FileManager.default.temporaryDirectory
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.count { name in
                guard name.hasPrefix("moya.") else { return false }
                return (try? String(contentsOf: folder.appending(path: name), encoding: .utf8))?.contains(mark) == true
            }
        }

        @Test("authorities, certificates and keys are not written to the disk, and are released with the transport")
        func files() async throws {
            let mark = UUID().uuidString
            let certificate = Data("\(mark)\n-----BEGIN CERTIFICATE-----\nMIIAAQA=\n-----END CERTIFICATE-----\n".utf8)
            let key = Data("-----BEGIN PRIVATE KEY-----\n\(mark)\n-----END PRIVATE KEY-----\n".utf8)
            let policy = ServerTrustPolicy(
                authorities: [certificate], identity: .init(certificates: certificate, privateKey: key))
            do {
                let transport = try CurlTransport(trust: policy)
                expectEqual(Self.filesOnDisk(mark), 0)
                expectEqual(Self.filesInMemory(mark), 3)
                #expect(transport.capabilities.contains(.clientIdentity))
            }
            try await until { Self.filesInMemory(mark) == 0 }
            expectEqual(Self.filesOnDisk(mark), 0)
        }
    }
#endif
