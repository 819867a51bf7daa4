package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"time"
)

// Errors of an index that is not used, or not written. They are wrapped in errors with details.
var (
	ErrFormat  = errors.New("not an index")
	ErrVersion = errors.New("an index of another version")
	ErrCorrupt = errors.New("a damaged index")
	ErrLarge   = errors.New("an index that is too large: the parts of the recording have too many kinds of records")
	ErrStale   = errors.New("an index of another recording: the recording has changed")
)

// Parse parses an index. The result keeps a part of file. A damaged or forged file does no harm: at
// worst the index is useless.
func Parse(file []byte) (*Index, error) {
	if len(file) < len(magic)+4 || string(file[:len(magic)]) != magic {
		return nil, ErrFormat
	}
	body, sum := file[:len(file)-4], binary.LittleEndian.Uint32(file[len(file)-4:])
	r := reader{left: body[len(magic):]}
	if v := r.number(math.MaxInt64); r.err == nil && v != Version {
		return nil, fmt.Errorf("%w: %d, want %d", ErrVersion, v, Version)
	}
	if crc32.ChecksumIEEE(body) != sum {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrCorrupt)
	}
	x := &Index{Identity: Identity{Size: int64(r.number(math.MaxInt64)), Modified: time.Unix(0, r.signed())}}
	copy(x.Probe[:], r.bytes(len(x.Probe)))
	x.readSets(&r)
	for range r.count(1) {
		s := Stream{Name: string(r.bytes(r.count(1)))}
		s.Parts = r.count(6)
		s.parts = r.bytes(r.count(1))
		s.sets = x.count
		x.add(s)
		if r.err != nil {
			break
		}
	}
	if r.err == nil && len(r.left) > 0 {
		r.err = ErrCorrupt
	}
	if r.err != nil {
		return nil, r.err
	}
	return x, nil
}

// readSets reads the kinds and the sets.
func (x *Index) readSets(r *reader) {
	before := uint64(0)
	for i := range r.count(1) {
		step := r.number(math.MaxUint32 - before)
		if before += step; i > 0 && step == 0 {
			r.fail()
		}
		x.Kinds = append(x.Kinds, uint32(before))
		if r.err != nil {
			return
		}
	}
	x.count = r.count(x.setSize())
	x.sets = r.bytes(x.count * x.setSize())
}

// A reader reads numbers. After an error, all results are 0.
type reader struct {
	left []byte
	err  error
}

func (r *reader) fail() {
	if r.err == nil {
		r.err = ErrCorrupt
	}
	r.left = nil
}

// number reads a number up to most.
func (r *reader) number(most uint64) uint64 {
	v, n := binary.Uvarint(r.left)
	if n <= 0 || v > most {
		r.fail()
		return 0
	}
	r.left = r.left[n:]
	return v
}

func (r *reader) signed() int64 {
	v, n := binary.Varint(r.left)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.left = r.left[n:]
	return v
}

// count reads the number of following items, each of which takes at least size bytes.
func (r *reader) count(size int) int {
	n := r.number(math.MaxInt64)
	if r.err == nil && n > uint64(len(r.left)/max(size, 1)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.left) {
		r.fail()
		return nil
	}
	b := r.left[:n:n]
	r.left = r.left[n:]
	return b
}
