// Package archive reads packed files: files compressed by gzip, xz, zstd or bzip2, and tar
// archives, whose members become a file system. Both are recognized by their contents, not by their
// names.
package archive
