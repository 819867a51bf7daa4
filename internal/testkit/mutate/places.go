package mutate

import (
	"bytes"
	"encoding/binary"
	"path"
	"strings"
	"unicode/utf8"
)

// maxPlaces bounds the places of one file.
const maxPlaces = 600

// Words returns the places of consecutive numbers.
func Words(file string, off, count, size int, order binary.ByteOrder, what string) (list []Place) {
	for i := range min(count, maxPlaces) {
		list = append(list, Place{File: file, Off: off + i*size, Len: size, Order: order, What: what})
	}
	return list
}

// order returns little-endian if the number at off is then smaller.
func order(b []byte, off, size int) binary.ByteOrder {
	if off+size <= len(b) && get(b[off:off+size], binary.BigEndian) < get(b[off:off+size], binary.LittleEndian) {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// NewUftrace describes a directory of uftrace: the numbers of its heads and records, and the text
// files.
func NewUftrace(name string, tree Tree) *Sample {
	s := &Sample{Name: name, Tree: tree}
	for _, file := range tree.names() {
		b := tree[file]
		switch {
		case file == "info":
			o := binary.ByteOrder(binary.LittleEndian)
			if len(b) > 12 && b[12] == 2 {
				o = binary.BigEndian
			}
			s.Places = append(s.Places, Words(file, 8, 8, 4, o, "head of info")...)
			s.Places = append(s.Places, Words(file, 16, 4, 8, o, "features of info")...)
			s.Texts = append(s.Texts, file)
		case strings.HasSuffix(file, ".dat") && file != "extern.dat":
			s.Places = append(s.Places, Words(file, 0, len(b)/8, 8, order(b, 0, 8), "a record")...)
		case !binaryFile(b):
			s.Texts = append(s.Texts, file)
		}
	}
	return s
}

func binaryFile(b []byte) bool { return bytes.IndexByte(b, 0) >= 0 || !utf8.Valid(b) }

// NewLTTng describes a trace of LTTng: the heads of sub-buffers, the first events of each, and
// descriptions.
func NewLTTng(name string, tree Tree) *Sample {
	s := &Sample{Name: name, Tree: tree}
	for _, file := range tree.names() {
		b := tree[file]
		if path.Ext(file) == ".xml" {
			s.Texts = append(s.Texts, file)
			continue
		}
		for at := 0; at+128 <= len(b); at += 4096 {
			o := order(b, 96, 4)
			s.Places = append(s.Places, Words(file, at, 24, 4, o, "head of a sub-buffer")...)
			s.Places = append(s.Places, Words(file, at+60, 30, 2, o, "head of a sub-buffer")...)
			s.Places = append(s.Places, Words(file, at+96, 40, 4, o, "an event")...)
			if len(s.Places) > 8*maxPlaces {
				break
			}
		}
	}
	return s
}

// NewSnapshot describes a copy of tracefs: the heads of pages; all other files are text.
func NewSnapshot(name string, tree Tree) *Sample {
	s := &Sample{Name: name, Tree: tree}
	for _, file := range tree.names() {
		b := tree[file]
		if path.Base(file) != "trace_pipe_raw" {
			s.Texts = append(s.Texts, file)
			continue
		}
		for at := 0; at+64 <= len(b); at += 4096 {
			s.Places = append(s.Places, Words(file, at, 8, 8, binary.LittleEndian, "head of a page")...)
		}
	}
	return s
}

// NewAIX describes a stream or log file of AIX. entries holds the offsets of its entries.
func NewAIX(name string, b []byte, entries []int64, is64 bool) *Sample {
	s := &Sample{Name: name, Tree: Tree{"": b}}
	s.Places = Words("", 0, 16, 4, binary.BigEndian, "the head")
	if len(entries) > maxPlaces {
		entries = entries[:maxPlaces]
	}
	for _, at := range entries {
		size := 4
		if is64 {
			size = 8
		}
		s.Places = append(s.Places, Words("", int(at), 3, size, binary.BigEndian, "an entry")...)
		s.Places = append(s.Places, Words("", int(at), 2, 2, binary.BigEndian, "a hook word")...)
	}
	return s
}

// NewTexts describes files of text.
func NewTexts(name string, tree Tree) *Sample {
	return &Sample{Name: name, Tree: tree, Texts: tree.names()}
}
