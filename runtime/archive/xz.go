package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/therootcompany/xz"
)

// xzReader unpacks up to the last byte that the input determines.
type xzReader struct {
	src  *io.SectionReader
	dict int // largest dictionary accepted
	r    *xz.Reader
	n    int64         // bytes returned
	tail *bytes.Reader // further bytes that the input determines, if it is damaged or ends early
	end  error         // error after tail
}

func openXZ(src *io.SectionReader, dict int) (io.ReadCloser, error) {
	r, err := xz.NewReader(src, uint32(dict))
	if err != nil {
		return nil, xzError(err, dict)
	}
	return io.NopCloser(&xzReader{src: src, dict: dict, r: r}), nil
}

func (x *xzReader) Read(p []byte) (int, error) {
	if x.tail == nil {
		n, err := x.r.Read(p)
		if x.n += int64(n); n > 0 {
			err = nil // the library returns the error again
		}
		if !errors.Is(err, xz.ErrBuf) && !errors.Is(err, xz.ErrData) {
			return n, xzError(err, x.dict)
		}
		x.end = xzError(err, x.dict)
		if x.tail, err = x.determined(); err != nil {
			return 0, err
		}
	}
	n, err := x.tail.Read(p)
	if errors.Is(err, io.EOF) {
		err = x.end
	}
	return n, err
}

// The library decodes a symbol when ahead bytes of input are available, because no symbol takes
// more. A symbol produces at most maxMatch bytes. A byte of input produces less than maxTail bytes.
const (
	ahead    = 21
	maxMatch = 273
	maxTail  = 4 << 20
)

// determined returns the bytes that the decoder holds back before damage or an early end. To a
// range coder, the next bytes of the input are a number. Output that is the same for the smallest
// and the largest continuation does not depend on it.
func (x *xzReader) determined() (*bytes.Reader, error) {
	low, err := x.steps(0)
	if err != nil {
		return nil, err
	}
	high, err := x.steps(0xff)
	if err != nil {
		return nil, err
	}
	var tail []byte
	for i, a := range low[:min(len(low), len(high))] {
		if b := high[i]; !bytes.Equal(a, b) { // the last symbol depends on the continuation
			return bytes.NewReader(append(tail, a[:max(0, common(a, b)-maxMatch)]...)), nil
		}
		tail = append(tail, a...)
	}
	return bytes.NewReader(tail), nil
}

// steps decodes the input continued by bytes of one value, and returns the output of each of them.
// It reuses the decoder, because each decoder has a dictionary.
func (x *xzReader) steps(pad byte) (all [][]byte, err error) {
	c := &continued{src: io.NewSectionReader(x.src, 0, x.src.Size()), r: x.r, pad: pad}
	if err := x.r.Reset(c); err != nil {
		return nil, nil // the input ends within the header
	}
	if n, err := io.CopyN(io.Discard, c.r, x.n); n < x.n {
		return nil, err // this input was decoded before
	}
	for range ahead {
		all = append(all, c.step())
	}
	return all, nil
}

// continued is an input that continues after its end, byte by byte.
type continued struct {
	src     io.Reader
	r       *xz.Reader // decoder of this input
	pad     byte
	allowed int // bytes of padding that may still be read
}

func (c *continued) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	if n > 0 || !errors.Is(err, io.EOF) {
		return n, err
	}
	if c.allowed == 0 {
		return 0, errPause
	}
	c.allowed--
	p[0] = c.pad
	return 1, nil
}

// errPause ends a read. The library does not store this error, so reading can continue after it.
var errPause = errors.New("no more input for now")

// step returns the output of one more byte of input. It reads byte by byte, because output decoded
// together with an error is lost.
func (c *continued) step() (out []byte) {
	c.allowed++
	for len(out) < maxTail {
		var b [1]byte
		n, err := c.r.Read(b[:])
		out = append(out, b[:n]...)
		if err != nil {
			break
		}
	}
	return out
}

// common returns the length of the common prefix.
func common(a, b []byte) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func xzError(err error, dict int) error {
	switch {
	case errors.Is(err, xz.ErrMemlimit):
		return fmt.Errorf("%w: a dictionary of more than %d MiB", ErrMemory, dict>>20)
	case errors.Is(err, xz.ErrOptions):
		return errors.New("a filter other than LZMA2, delta, x86, PowerPC, IA-64, ARM, ARM-Thumb or SPARC; unpack it with xz -d")
	case errors.Is(err, xz.ErrBuf):
		return io.ErrUnexpectedEOF
	}
	return err
}
