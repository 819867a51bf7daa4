package archive

import (
	"bytes"
	"strconv"
)

// magic identifies USTAR, GNU and pax headers. Headers from before 1988 do not have it.
const (
	magic   = "ustar"
	magicAt = 257
)

// IsTar reports whether a file that begins with head is a tar archive. A damaged first header is
// enough.
func IsTar(head []byte) bool {
	if len(head) < blockSize {
		return len(head) >= magicAt+len(magic) && string(head[magicAt:magicAt+len(magic)]) == magic
	}
	return string(head[magicAt:magicAt+len(magic)]) == magic || head[0] != 0 && hasChecksum(head)
}

// hasChecksum reports whether a block has the checksum of a header: the sum of its bytes, with
// blanks for the checksum itself. Some programs added signed bytes.
func hasChecksum(b []byte) bool {
	field := string(bytes.Trim(b[148:156], " \x00"))
	want, err := strconv.ParseInt(field, 8, 64)
	if err != nil {
		return false
	}
	var sum, signed int64
	for i, c := range b[:blockSize] {
		if 148 <= i && i < 156 {
			c = ' '
		}
		sum += int64(c)
		signed += int64(int8(c))
	}
	return want == sum || want == signed
}
