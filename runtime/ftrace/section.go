package ftrace

import (
	"fmt"
	"strings"
)

// A Section is a part of a trace.dat. Files of version 7 consist of sections. The parts of version
// 6 have no headers. Its parts from the header info to the saved command lines are listed under the
// ids of version 7.
type Section struct {
	ID     uint16 // id of the option that leads to it: OptionKallsyms; OptionDone for a section of options
	Flags  uint16 // as recorded; bit 0: compressed
	Name   string // name in the string table, or ""
	Offset int64  // of the header in the file; in version 6 of the first byte
	Size   int64  // in the file, without the header, in bytes
	Plain  int64  // unpacked size in bytes; for contents packed in chunks (CPU data, texts of latency tracers), Size

	src *source
}

// Compressed reports whether the contents are packed.
func (s *Section) Compressed() bool { return s.Flags&1 != 0 }

// chunked reports whether the contents are packed chunk by chunk.
func (s *Section) chunked() bool { return s.ID == OptionBuffer || s.ID == OptionBufferText }

// sectionHeader is the size of the header: id, flags, description, size.
const sectionHeader = 16

// maxSections bounds the list.
const maxSections = 1 << 17

// Sections lists the sections in the order of the file, including sections to which no option
// leads. If there is an error, the list ends at the damaged place. tracefs snapshots have no
// sections.
func (r *Recording) Sections() ([]Section, error) {
	if r.info.Version != 7 {
		return r.led.parts, nil
	}
	var list []Section
	var names []uint32
	src := r.sources[0]
	off := r.led.first
	for off < src.size && len(list) < maxSections {
		s, name, err := r.sectionAt(src, off)
		if err != nil {
			r.nameSections(list, names)
			return list, err
		}
		list, names = append(list, s), append(names, name)
		off += sectionHeader + s.Size
	}
	r.nameSections(list, names)
	return list, nil
}

func (r *Recording) sectionAt(src *source, off int64) (s Section, name uint32, err error) {
	c := newCursor(src, r.order, off)
	s = Section{Offset: off, ID: c.u16("section id"), Flags: c.u16("flags of a section"), src: src}
	name = c.u32("description of a section")
	s.Size = c.size64("size of a section")
	if c.err == nil && s.Size > c.left() {
		return s, name, src.fail(off, fmt.Sprintf("a section of %d bytes", s.Size), ErrTruncated)
	}
	s.Plain = s.Size
	if s.Compressed() && !s.chunked() {
		c.u32("packed size")
		s.Plain = int64(c.u32("plain size"))
	}
	return s, name, c.failure()
}

// nameSections looks up the descriptions. They are offsets in the concatenated sections of strings.
func (r *Recording) nameSections(list []Section, names []uint32) {
	var text strings.Builder
	for i := range list {
		if list[i].ID == OptionStrings {
			data, err := r.SectionData(&list[i])
			if err != nil {
				r.damage.Add(asDamage(list[i].src, list[i].Offset, err), int64(OptionStrings))
			}
			text.Write(data)
		}
	}
	all := text.String()
	for i, at := range names {
		if uint64(at) < uint64(len(all)) {
			list[i].Name, _, _ = strings.Cut(all[at:], "\x00")
		}
	}
}

// SectionData returns the unpacked contents of a section, at most MaxSection bytes. The section
// must not be CPU data or the text of a latency tracer.
func (r *Recording) SectionData(s *Section) ([]byte, error) {
	if s.chunked() {
		return nil, s.src.fail(s.Offset, "a section of metadata", ErrUnsupported)
	}
	if r.info.Version != 7 {
		if s.Size > MaxSection {
			return nil, s.src.fail(s.Offset, fmt.Sprintf("a part of %d bytes", s.Size), ErrLimit)
		}
		return s.src.view(s.Offset, s.Size, nil)
	}
	sec, err := r.section(s.src, s.Offset, s.ID)
	if err != nil {
		return nil, err
	}
	defer r.close(sec)
	if n := sec.body.left(); n > MaxSection {
		return nil, s.src.fail(s.Offset, fmt.Sprintf("a section of %d bytes", n), ErrLimit)
	}
	data := sec.body.take(sec.body.left(), "content of a section")
	return data, sec.body.failure()
}

// part notes a part of a version 6 file that fn reads.
func (x *sections) part(c *cursor, id uint16, fn func()) {
	at := c.off
	fn()
	x.parts = append(x.parts, Section{ID: id, Offset: at, Size: c.off - at, Plain: c.off - at, src: c.src})
}
