package view

import (
	"errors"

	"github.com/tracec/tracec/internal/spool"
)

// blockSize is the number of bytes of encoded items that are kept or written together.
const blockSize = 1 << 20

// store holds the encoded items: the first blocks in memory, the rest in a temporary file.
type store struct {
	kept  int // number of blocks in memory
	limit int // maximum of kept
	mem   [][]byte
	block []byte // the block that is being filled
	count int    // number of blocks before it
	file  *spool.File
	err   error // error of the file: blocks after it are lost
}

// lost is the place of items that could not be kept.
const lost = -1

func newStore(memory int64) *store { return &store{limit: int(max(memory/blockSize, 1))} }

// put appends items and returns their place.
func (s *store) put(b []byte) int64 {
	if len(s.block)+len(b) > blockSize {
		s.flush()
	}
	if s.err != nil || len(b) > blockSize {
		return lost
	}
	if s.block == nil {
		s.block = make([]byte, 0, blockSize)
	}
	at := int64(s.count)*blockSize + int64(len(s.block))
	s.block = append(s.block, b...)
	return at
}

// flush ends the block.
func (s *store) flush() {
	if s.err != nil {
		return
	}
	s.count++
	if s.kept < s.limit {
		s.mem = append(s.mem, s.block)
		s.kept++
		s.block = nil
		return
	}
	if s.file == nil {
		if s.file, s.err = spool.New(""); s.err != nil {
			return
		}
	}
	if _, s.err = s.file.WriteAt(s.block[:cap(s.block)], int64(s.count-1-s.kept)*blockSize); s.err == nil {
		s.block = s.block[:0]
	}
}

// get returns n bytes at a place. It reads them into buf if they are not in memory. It returns nil
// if they are lost.
func (s *store) get(at int64, n int, buf []byte) []byte {
	if at == lost {
		return nil
	}
	block, from := int(at/blockSize), int(at%blockSize)
	switch {
	case block < s.kept:
		return s.mem[block][from : from+n]
	case block == s.count:
		return s.block[from : from+n]
	}
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	if s.file == nil {
		return nil
	}
	if _, err := s.file.ReadAt(buf[:n], int64(block-s.kept)*blockSize+int64(from)); err != nil {
		return nil
	}
	return buf[:n]
}

// bytes returns the number of bytes in memory and in the file.
func (s *store) bytes() (memory, file int64) {
	memory = int64(s.kept)*blockSize + int64(cap(s.block))
	return memory, int64(s.count-s.kept) * blockSize
}

func (s *store) close() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
	}
	if s.err == nil {
		s.err = errors.New("closed")
	}
	s.file, s.mem, s.block, s.kept = nil, nil, nil, 0
	return err
}
