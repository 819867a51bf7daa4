// Package archive reads what came packed: files compressed by gzip, xz, zstd, bzip2 or compress, and tar archives, of which the members are a
// file system. Both are recognized by their content, whatever their names say.
package archive
