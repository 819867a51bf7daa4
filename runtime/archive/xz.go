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
	dict int // the largest dictionary that is taken
	r    *xz.Reader
	n    int64         // bytes that came out
	tail *bytes.Reader // what else the input determines, of one that is damaged or ends early
	end  error         // what comes after it
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
			err = nil // it comes again
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

// The library decodes a symbol once ahead bytes of input are there, as no symbol takes more. One
// stands for maxMatch bytes at most, and those that a byte of input holds for less than maxTail.
const (
	ahead    = 21
	maxMatch = 273
	maxTail  = 4 << 20
)

// determined returns what the decoder holds back before damage, and where the input ends early. The
// next bytes of the input are a number to a range coder: what the smallest and the largest
// continuation decode to in the same steps does not depend on them.
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
		if b := high[i]; !bytes.Equal(a, b) { // the last symbol does
			return bytes.NewReader(append(tail, a[:max(0, common(a, b)-maxMatch)]...)), nil
		}
		tail = append(tail, a...)
	}
	return bytes.NewReader(tail), nil
}

// steps decodes the input, continued by bytes of one value, and returns what each of these adds.
// There is one decoder, as each has a dictionary.
func (x *xzReader) steps(pad byte) (all [][]byte, err error) {
	c := &continued{src: io.NewSectionReader(x.src, 0, x.src.Size()), r: x.r, pad: pad}
	if err := x.r.Reset(c); err != nil {
		return nil, nil // not even the header is there
	}
	if n, err := io.CopyN(io.Discard, c.r, x.n); n < x.n {
		return nil, err // the input was there before
	}
	for range ahead {
		all = append(all, c.step())
	}
	return all, nil
}

// continued is an input that goes on, byte by byte, after its end.
type continued struct {
	src     io.Reader
	r       *xz.Reader // of the continued
	pad     byte
	allowed int // bytes of padding that may be read
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

// errPause is not kept by the library, which so can be asked again.
var errPause = errors.New("no more input for now")

// step decodes what one byte more lets decode. What is decoded at once is lost when there is an
// error, so this reads byte by byte.
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

// common returns the length of the common beginning.
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
