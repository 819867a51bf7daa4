package uftrace

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// externStream yields the lines of extern.dat (uftrace.md 1.11). The file is small, because people
// write it.
type externStream struct {
	r    *Recording
	text []byte
	size int64 // size of the whole text, until close
	off  int64
	rec  [1]record.Record
	ent  [1]Entry
}

// maxExtern limits the text of a line.
const maxExtern = 1023

func (s *externStream) Next() (record.Batch[Entry], error) {
	for len(s.text) > 0 {
		line, rest, _ := bytes.Cut(s.text, []byte("\n"))
		off := s.off
		s.off += int64(len(s.text) - len(rest))
		s.text = rest
		if line = bytes.TrimLeft(line, " \t"); len(line) == 0 || line[0] == '#' || len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		time, data, ok := externLine(line)
		if !ok {
			s.r.damage.Note("extern.dat", off, int64(len(line)),
				fmt.Errorf("%w: no line of SECONDS.FRACTION TEXT", ErrCorrupt))
			continue
		}
		s.rec[0] = record.Record{Time: time, Data: data, ID: EventExtern, CPU: -1, Task: -1}
		s.ent[0] = Entry{Addr: EventExtern, Kind: Event, Source: Extern, More: true}
		return record.Batch[Entry]{Records: s.rec[:], Entries: s.ent[:]}, nil
	}
	return record.Batch[Entry]{}, io.EOF
}

// File returns the name of the file.
func (s *externStream) File() string { return "extern.dat" }

func (s *externStream) close() {
	s.r.memory.Give(s.size)
	s.text, s.size = nil, 0
}

// externLine reads SECONDS.FRACTION TEXT. The fraction has any number of digits.
func externLine(line []byte) (time uint64, text []byte, ok bool) {
	i := 0
	for ; i < len(line) && line[i] >= '0' && line[i] <= '9'; i++ {
		if time > 1<<33 {
			return 0, nil, false
		}
		time = time*10 + uint64(line[i]-'0')
	}
	if i == 0 {
		return 0, nil, false
	}
	time *= 1e9
	if i < len(line) && line[i] == '.' {
		scale := uint64(1e8)
		for i++; i < len(line) && line[i] >= '0' && line[i] <= '9'; i++ {
			time += scale * uint64(line[i]-'0')
			scale /= 10
		}
	}
	if i < len(line) && line[i] != ' ' && line[i] != '\t' {
		return 0, nil, false
	}
	text = bytes.TrimLeft(line[i:], " \t")
	return time, text[:min(len(text), maxExtern)], true
}
