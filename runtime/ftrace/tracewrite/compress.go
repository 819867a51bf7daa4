package tracewrite

import (
	"bytes"
	"fmt"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// packer compresses sections and chunks. The result is valid until the next call.
type packer interface {
	pack(b []byte) ([]byte, error)
}

// newPacker returns nil for no compression, and the version for the file. Readers reject files with
// a newer major version than the version of their own library.
func newPacker(name string) (p packer, version string, err error) {
	switch name {
	case "", "none":
		return nil, "", nil
	case "zstd":
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
			zstd.WithLowerEncoderMem(true))
		if err != nil {
			return nil, "", err
		}
		return &zstdPacker{z: z}, "1.5.0", nil
	case "zlib":
		p := &zlibPacker{}
		p.z, err = zlib.NewWriterLevel(&p.out, zlib.BestCompression)
		return p, "1.2.11", err
	}
	return nil, "", fmt.Errorf("%w: invalid compression %q (want none, zstd or zlib)", ErrHeader, name)
}

type zstdPacker struct {
	z   *zstd.Encoder
	out []byte
}

func (p *zstdPacker) pack(b []byte) ([]byte, error) {
	p.out = p.z.EncodeAll(b, p.out[:0])
	return p.out, nil
}

type zlibPacker struct {
	z   *zlib.Writer
	out bytes.Buffer
}

func (p *zlibPacker) pack(b []byte) ([]byte, error) {
	p.out.Reset()
	p.z.Reset(&p.out)
	if _, err := p.z.Write(b); err != nil {
		return nil, err
	}
	err := p.z.Close()
	return p.out.Bytes(), err
}
