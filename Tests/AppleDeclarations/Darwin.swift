// swift-format-ignore-file
// The names are those of Apple's API, whose documentation describes them.

@_exported import Glibc

// Darwin imports these constants as integers, Glibc as enums.
public var SOCK_STREAM: Int32 { 1 }
public var SHUT_RDWR: Int32 { 2 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }

extension stat {
    public var st_mtimespec: timespec {
        get { st_mtim }
        set { st_mtim = newValue }
    }
}
