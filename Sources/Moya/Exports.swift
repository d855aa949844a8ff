@_exported public import MoyaScheduling

/// The former name of the lock, until the folders that use it are renamed.
package typealias Guarded = Locked
