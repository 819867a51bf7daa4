package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxBlock bounds one block, so that a text without any event line cannot fill the memory.
const maxBlock = 1 << 20

// A block is the text of one event: the line that names it and its continuation lines (stack
// entries, markers with newlines). Blocks, not lines, are paired, so that an event with a longer
// stack does not shift everything after it.
type block struct {
	text  []byte // every line with its newline
	lines int
	key   []byte // the part that must be equal for two blocks to be the same event; aliases text
	event string // "" for lines without an event (cpus=2, CPU:0 [EVENTS DROPPED])
}

// A layout finds the starts of blocks in a text.
type layout interface {
	// split reports whether line (without newline) starts a block. If so, header holds the length
	// of its key and the name of the event. split may rewrite the line, and the rewritten line is
	// compared. keep is false for lines to ignore, such as the comments at the start of the
	// kernel's text.
	split(line []byte) (out []byte, head header, keep bool)
}

// header describes a line that starts a block.
type header struct {
	starts bool
	key    int    // length of the key in the rewritten line
	event  []byte // aliases the line
}

// blockReader divides a text into blocks. It holds one block in memory, regardless of the text's
// size.
type blockReader struct {
	src    *bufio.Reader
	layout layout
	names  map[string]string // interned event names, so that a block costs no allocation

	line    []byte // the line read ahead, which starts the next block
	head    header
	pending bool
	long    []byte // buffer for lines longer than the reader's buffer
	err     error
}

func newBlockReader(r io.Reader, l layout) *blockReader { return newBlockReaderSize(r, l, 256<<10) }

func newBlockReaderSize(r io.Reader, l layout, size int) *blockReader {
	return &blockReader{src: bufio.NewReaderSize(r, size), layout: l, names: make(map[string]string)}
}

// next fills b, reusing its memory. It returns io.EOF after the last block.
func (r *blockReader) next(b *block) error {
	b.text, b.lines, b.key, b.event = b.text[:0], 0, nil, ""
	if !r.pending && !r.advance() {
		return r.err
	}
	key := r.head.key
	b.event = r.intern(r.head.event)
	for {
		b.text = append(append(b.text, r.line...), '\n')
		b.lines++
		r.pending = false
		if len(b.text) > maxBlock || !r.advance() || r.head.starts {
			break
		}
	}
	if key > len(b.text) {
		key = len(b.text)
	}
	b.key = b.text[:key]
	return nil
}

// advance reads the next line to compare into r.line.
func (r *blockReader) advance() bool {
	for r.err == nil {
		raw, err := r.readLine()
		if err != nil && len(raw) == 0 {
			r.err = err
			return false
		}
		line, head, keep := r.layout.split(raw)
		if !keep {
			continue
		}
		r.line, r.head, r.pending = line, head, true
		return true
	}
	return false
}

func (r *blockReader) readLine() ([]byte, error) {
	line, err := r.src.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = append(r.long[:0], line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = r.src.ReadSlice('\n')
			if len(r.long) < maxBlock { // drop the rest of an endless line
				r.long = append(r.long, line...)
			}
		}
		line = r.long
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

func (r *blockReader) intern(name []byte) string {
	if s, ok := r.names[string(name)]; ok {
		return s
	}
	s := string(name)
	if len(r.names) < 1<<16 {
		r.names[s] = s
	}
	return s
}
