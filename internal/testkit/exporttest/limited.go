package exporttest

import (
	"bytes"
	"errors"
)

// Enough is the number of bytes that a Limited accepts. It accepts the write that reaches the limit
// completely.
const Enough = 1 << 20

// ErrEnough ends an export into a Limited.
var ErrEnough = errors.New("enough for a test")

// Limited keeps the beginning of an output.
type Limited struct{ bytes.Buffer }

func (l *Limited) Write(b []byte) (int, error) {
	if l.Len() > Enough {
		return 0, ErrEnough
	}
	return l.Buffer.Write(b)
}

// Same reports whether two outputs are equal. If a Limited has ended them, they may have different
// blocks, and it compares only the bytes that both have.
func Same(a, b []byte) bool {
	if n := min(len(a), len(b)); n > Enough {
		a, b = a[:n], b[:n]
	}
	return bytes.Equal(a, b)
}
