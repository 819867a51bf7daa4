// Package index reads and writes the index of a recording: a file beside it that lists the kinds of
// records in each part. Readers that want few kinds skip the other parts.
//
// The command tracec index writes the file. Containers use it if it exists. Parts that it does not
// list, such as damaged ones, are always read, so the result is the same with and without it.
//
// # File
//
// All numbers are unsigned varints (encoding/binary) unless noted otherwise. "sN" is a signed
// varint, "[N]" are N bytes.
//
//	[13]  "tracec-index\n"
//	version, 2
//	size of the recording in bytes; of a directory the sum of its files
//	sN modification time in ns since 1970; of a directory the latest of its files
//	[32]  SHA-256 of parts of the recording; of a file see [ProbeOf]
//	kinds, then each less the one before, in rising order
//	sets, then each as a bitmap of kinds: bit i%8 of byte i/8 is kind i
//	streams, then for each
//	  length of its name, and the name
//	  the number of parts, their size in bytes, and for each part
//	    its offset less the offset of the part before
//	    its length in bytes, or 0
//	    sN its first time less the first time of the part before
//	    its last time less its first one
//	    records
//	    number of its set
//	[4]   CRC-32 (IEEE) of all bytes before it, little-endian
//
// Offsets and times are defined by the container: see its documentation.
package index

import "path/filepath"

// Version is the version of the file that this package writes and reads.
const Version = 2

const magic = "tracec-index\n"

// Suffix is appended to the name of a recording to get the name of its index.
const Suffix = ".tracec-index"

// Name returns the name of the index of the recording in a file or directory.
func Name(path string) string {
	path = filepath.Clean(path)
	if base := filepath.Base(path); base == "." || base == ".." { // the name of such a directory is in its parent
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
	}
	return path + Suffix
}
