// Package archive reads what came packed: files compressed by gzip, xz, zstd or bzip2, and tar
// archives, of which the members are a file system. Both are recognized by their content, whatever
// their names say.
package archive
