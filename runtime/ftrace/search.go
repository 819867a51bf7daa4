package ftrace

import (
	"bytes"
	"cmp"
	"slices"
)

// Version 7 finds its sections by offsets in the file. A lost or added byte makes all offsets
// across it wrong. One wrong number in the head or in an options section hides the rest. But the
// sections follow one another from the head to the end of the file, each with its id and size. So
// they can be found without any offset. The search goes from header to header. At a place without a
// header, it looks for the next one.

// found is a section that the search found.
type found struct {
	id, flags uint16
	off       int64 // of the header
	size      int64 // of the contents; 0 if the recorder did not write it
}

func (f *found) end() int64 { return f.off + sectionHeader + f.size }

const (
	// searchWindow is the size of a read of the search.
	searchWindow = 64 << 10
	// searchMost limits the search for a header. The search covers that many bytes at its
	// beginning, and that many before the end of the file.
	searchMost = 64 << 20
	// maxFound bounds the number of sections in the list. Each buffer has two.
	maxFound = 1 << 12
	// maxDoubts bounds the number of places that are examined closely.
	maxDoubts = 1 << 16
)

// search lists the sections of the file, once.
func (r *Recording) search(src *source) []found {
	if r.led.measuring {
		return nil
	}
	r.led.searched.Do(func() { r.led.found = r.sections(src) })
	return r.led.found
}

func (r *Recording) sections(src *source) (list []found) {
	doubts := 0
	for off := r.led.first; off+sectionHeader <= src.size && len(list) < maxFound && doubts < maxDoubts; {
		s, ok := r.header(src, off)
		if !ok {
			off = r.nextHeader(src, off+1, &doubts)
			continue
		}
		next := s.end()
		// The size of the section may be wrong, bytes may have been lost or added inside, or the
		// file may end in it. A recording ends with a section of options only. If it does not,
		// bytes were lost: as many as the last section of options takes.
		if s.size > 0 && (!r.goodEnd(src, next) || next == src.size && s.id != OptionDone) {
			if n := r.nextHeader(src, off+sectionHeader, &doubts); n < src.size || next > src.size {
				next = n
				s.size = next - off - sectionHeader
			}
		}
		list = append(list, s)
		if s.size == 0 {
			break
		}
		off = next
	}
	return list
}

// goodEnd reports whether a section may end at off: at the end of the file, or before the header of
// another section.
func (r *Recording) goodEnd(src *source, off int64) bool {
	if off >= src.size {
		return off == src.size
	}
	f, ok := r.header(src, off)
	return ok && f.end() <= src.size
}

// header reads a possible header of a section.
func (r *Recording) header(src *source, off int64) (f found, ok bool) {
	b, err := src.view(off, min(sectionHeader+8, src.size-off), nil)
	if err != nil || len(b) < sectionHeader {
		return f, false
	}
	f = found{id: r.order.Uint16(b), flags: r.order.Uint16(b[2:]), off: off, size: int64(r.order.Uint64(b[8:]))}
	switch {
	case f.flags > 1 || f.size < 0 || f.size == 0 && f.id != OptionBuffer || f.id > OptionModules:
		return f, false
	case f.id != OptionDone && f.id != OptionBuffer && f.id < OptionStrings:
		return f, false // the id of an option that does not lead to a section
	case f.id == OptionDone && (f.size > MaxSection || f.flags == 0 && f.end() <= src.size && !r.endsWell(src, &f)):
		return f, false
	case f.flags == 1 && f.id != OptionBuffer && f.id != OptionBufferText && len(b) == sectionHeader+8:
		packed := int64(r.order.Uint32(b[sectionHeader:]))
		return f, packed > 0 && packed+8 <= f.size
	}
	return f, true
}

// nextHeader returns the first place from off on with the header of a section that is followed by
// another one or by the end of the file. Otherwise it returns the end of the file.
func (r *Recording) nextHeader(src *source, off int64, doubts *int) int64 {
	var buf []byte
	begin := off
	for off+sectionHeader <= src.size {
		if off-begin >= searchMost && src.size-off > searchMost {
			off = src.size - searchMost
		}
		b, err := src.view(off, min(searchWindow, src.size-off), buf)
		if err != nil {
			return src.size
		}
		if src.data == nil {
			buf = b
		}
		for i := 0; i+sectionHeader <= len(b); i++ {
			if r.order.Uint16(b[i:]) > OptionModules || r.order.Uint16(b[i+2:]) > 1 ||
				r.order.Uint64(b[i+8:]) > uint64(src.size) {
				continue
			}
			if *doubts++; *doubts >= maxDoubts {
				return src.size
			}
			if r.surely(src, off+int64(i)) {
				return off + int64(i)
			}
		}
		off += int64(len(b)) - sectionHeader + 1
	}
	return src.size
}

// surely reports whether a section really begins at off. Zeros and small numbers look like headers.
// But a section of options follows within a few sections, and no recording ends with any other
// section.
func (r *Recording) surely(src *source, off int64) bool {
	const most = 16
	for range most {
		f, ok := r.header(src, off)
		switch {
		case !ok || f.size == 0 || f.end() > src.size:
			return false
		case f.id == OptionDone:
			return true
		}
		off = f.end()
	}
	return false
}

// endsWell reports whether a section of options ends with the option that must be last.
func (r *Recording) endsWell(src *source, f *found) bool {
	const last = 2 + 4 + 8
	if f.size < last {
		return false
	}
	b, err := src.view(f.end()-last, last, nil)
	return err == nil && r.order.Uint16(b) == OptionDone && r.order.Uint32(b[2:]) == 8
}

// displaced returns the actual place of a section whose offset is wrong: the nearest section with
// its id.
func (r *Recording) displaced(src *source, off int64, want uint16) (at int64, ok bool) {
	best := int64(-1)
	for _, f := range r.search(src) {
		if f.id != want {
			continue
		}
		if d := max(f.off-off, off-f.off); best < 0 || d < best {
			best, at = d, f.off
		}
	}
	return at, best >= 0
}

func (x *sections) isFound(off int64) bool {
	_, ok := slices.BinarySearchFunc(x.found, off, func(f found, off int64) int { return cmp.Compare(f.off, off) })
	return ok
}

// salvage reads the sections to which no option led: first lost sections of options, then metadata,
// then buffers.
func (r *Recording) salvage(src *source, seen map[int64]bool) {
	r.led.searching = true
	for _, f := range r.search(src) {
		if f.id != OptionDone || seen[f.off] {
			continue
		}
		seen[f.off] = true
		s, err := r.openSection(src, f.off, OptionDone)
		if err == nil {
			_, err = r.optionsV7(src, s.body)
			r.close(s)
		}
		if err != nil {
			r.damage.Add(asDamage(src, f.off, err), 0)
		}
	}
	for _, f := range r.led.found {
		if f.id >= OptionHeaderInfo && f.id != OptionBufferText && !r.led.led[f.id] {
			r.metadata(src, f.id, f.off)
		}
	}
	if r.layout.word == 0 {
		return // no page can be read
	}
	for _, f := range r.led.found {
		switch {
		case slices.Contains(r.led.ledBuffers, f.off):
		case f.id == OptionBuffer:
			r.rescueBuffer(src, f.off+sectionHeader, f.size, f.flags&1 != 0)
		case f.id == OptionBufferText:
			r.textBuffer(src, f.off, &Buffer{PageSize: r.info.PageSize})
		}
	}
}

// find returns the first occurrence of any of the texts in a source from off on, or -1.
func (s *source) find(off int64, texts ...string) int64 {
	longest := 0
	for _, t := range texts {
		longest = max(longest, len(t))
	}
	var buf []byte
	for off < s.size {
		b, err := s.view(off, min(searchWindow, s.size-off), buf)
		if err != nil {
			return -1
		}
		if s.data == nil {
			buf = b
		}
		first := -1
		for _, t := range texts {
			if i := bytes.Index(b, []byte(t)); i >= 0 && (first < 0 || i < first) {
				first = i
			}
		}
		if first >= 0 {
			return off + int64(first)
		}
		if off+int64(len(b)) == s.size {
			break
		}
		off += int64(len(b) - longest + 1)
	}
	return -1
}
