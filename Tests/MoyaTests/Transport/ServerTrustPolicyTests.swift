#if os(Linux)
    import Foundation
    import Moya
    import Testing

    @Suite struct ServerTrustPolicyTests {
        private static let pem = Data("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n".utf8)

        static let malformed: [(ServerTrustPolicy, String)] = [
            (ServerTrustPolicy(authorities: [Data("none".utf8)]), "is no certificate in PEM"),
            (ServerTrustPolicy(trustsSystemAuthorities: false), "trusts nobody"),
            (ServerTrustPolicy(pins: ["a.example": []]), "an empty set of pins for a.example"),
            (ServerTrustPolicy(pins: ["a.example": ["abc"]]), #"the pin "abc" of a.example is no SHA-256 hash"#),
            (
                ServerTrustPolicy(pins: ["a.example": ["x;sha256//" + Data(count: 32).base64EncodedString()]]),
                "is no SHA-256 hash"
            ),
            (
                ServerTrustPolicy(identity: .init(certificates: pem, privateKey: Data("none".utf8))),
                "is no certificate and private key in PEM"
            ),
        ]

        @Test("a malformed policy is refused when the engine is made", arguments: malformed.indices)
        func refuses(_ index: Int) {
            let (policy, reason) = Self.malformed[index]
            let error = #expect(throws: MoyaError.self) { try CurlTransport(trust: policy) }
            #expect(error?.kind == .request)
            #expect(error?.description.contains(reason) == true)
        }

        @Test("files of a policy are removed with its engine")
        func files() async throws {
            let mark = UUID().uuidString
            let authority = Data("-----BEGIN CERTIFICATE-----\n\(mark)\n-----END CERTIFICATE-----\n".utf8)
            @Sendable func files() -> Int {
                let folder = FileManager.default.temporaryDirectory
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                return names.count { name in
                    guard name.hasPrefix("moya."), name.hasSuffix(".pem") else { return false }
                    return (try? String(contentsOf: folder.appending(path: name), encoding: .utf8))?.contains(mark)
                        == true
                }
            }
            do {
                let transport = try CurlTransport(trust: ServerTrustPolicy(authorities: [authority]))
                #expect(files() == 1)
                #expect(transport.capabilities.contains(.customAuthorities))
            }
            try await until { files() == 0 }
        }
    }
#endif
