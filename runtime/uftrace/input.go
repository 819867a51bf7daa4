package uftrace

// input is the part of a file that is in memory: the bytes from pos on are not decoded.
type input struct {
	buf []byte // bytes read but not decoded: buf[pos:]
	pos int
	off int64 // of buf[0] in the file
	eof bool  // the file has no bytes after buf
}
