// swift-format-ignore-file
// The names are those of Apple's API, whose documentation describes them.

import Foundation

// On Linux there is no bridge, so the types are those that Swift bridges them to: `as CFArray` then compiles.
public typealias CFArray = [AnyObject]
public typealias CFData = Data
public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFIndex = Int

public final class CFAllocator {}
public final class CFError {}

public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { notCalled() }
public func CFBooleanGetTypeID() -> CFTypeID { notCalled() }

/// The body of each function of these modules, which are compiled and never run.
public func notCalled() -> Never { preconditionFailure("a declaration for type checks was called") }
