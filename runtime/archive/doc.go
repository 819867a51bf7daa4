// Package archive reads packed files: files compressed by gzip, xz, zstd, bzip2 or compress, and
// tar archives, whose members become a file system. Both are recognized by their contents, not by
// their names.
package archive
