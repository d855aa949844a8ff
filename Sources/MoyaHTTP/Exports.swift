@_exported public import MoyaScheduling

#if canImport(FoundationNetworking)
    // On Apple platforms, Foundation has these types.
    @_exported public import struct FoundationNetworking.URLRequest
    @_exported public import class FoundationNetworking.HTTPURLResponse
    @_exported public import class FoundationNetworking.HTTPCookie
    @_exported public import class FoundationNetworking.URLCredential
    @_exported public import class FoundationNetworking.URLSessionConfiguration
    @_exported public import class FoundationNetworking.URLResponse
#endif
