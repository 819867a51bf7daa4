package perf

import (
	"fmt"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/perf"
)

// Sides are the groups of side-band records that perf script --show-…-events prints.
type Sides uint

// The groups.
const (
	TaskEvents Sides = 1 << iota
	MmapEvents
	SwitchEvents
	LostEvents
	NamespaceEvents
	CgroupEvents
	BPFEvents
	TextPokeEvents
)

// sides are the groups of the types of records.
var sides = map[perf.Kind]Sides{
	perf.Comm: TaskEvents, perf.Fork: TaskEvents, perf.Exit: TaskEvents,
	perf.Mmap: MmapEvents, perf.Mmap2: MmapEvents,
	perf.Switch: SwitchEvents, perf.SwitchCPUWide: SwitchEvents,
	perf.Lost: LostEvents, perf.LostSamples: LostEvents,
	perf.Namespaces: NamespaceEvents, perf.Cgroup: CgroupEvents,
	perf.Ksymbol: BPFEvents, perf.BPFEvent: BPFEvents, perf.TextPoke: TextPokeEvents,
}

// miscData is the bit of misc of a mapping of data (perf.md 1.2).
const miscData = 0x2000

// side prints a side-band record (perf.md 10).
func (p *printer) side(e *tracec.Event, x *perf.Entry) {
	for _, c := range p.sideHead(x) {
		p.buf = c(p.buf, e, x)
	}
	p.buf = append(append(p.buf, x.Event.Name...), p.sideText(e, x)...)
}

// sideHead returns the columns before a side-band record. They are the columns of the event with
// the record's id. The records that perf makes at its start have no id. They get the columns of the
// first event.
func (p *printer) sideHead(x *perf.Entry) []column {
	if len(p.attrs) == 0 {
		return p.head(nil, FieldComm|FieldTID|FieldCPU|FieldTime, true, "", nil)
	}
	at := 0
	if id, ok := x.RecordedID(); ok {
		if e := p.counters.rec.EventOf(id); e != nil {
			at = e.Index
		}
	}
	if p.sideHeads[at] == nil {
		p.sideHeads[at] = p.head(p.attrs[at].Attr, p.lines[at].fields, true, "", nil)
	}
	return p.sideHeads[at]
}

// sideText returns the text after the name. A record that is too short for its type has no text.
func (p *printer) sideText(e *tracec.Event, x *perf.Entry) []byte {
	s := &sideRecord{Event: e, entry: x}
	out := s.text()
	if s.short {
		return []byte(" (cut short)")
	}
	return out
}

// sideRecord gives access to the fields of a record by their names.
type sideRecord struct {
	*tracec.Event
	entry *perf.Entry
	short bool
}

// value returns a field of the record.
func (s *sideRecord) value(name string) tracec.Value {
	v, ok := s.Field(name)
	s.short = s.short || !ok
	return v
}

func (s *sideRecord) int(name string) int64     { return s.value(name).Int() }
func (s *sideRecord) uint(name string) uint64   { return s.value(name).Uint() }
func (s *sideRecord) string(name string) string { return string(s.value(name).Bytes()) }

func (s *sideRecord) text() []byte {
	var out []byte
	put := func(format string, args ...any) { out = fmt.Appendf(out, format, args...) }
	switch x := s.entry; x.Event.Kind {
	case perf.Comm:
		process, thread, name, ok := x.Command()
		s.short = !ok
		if x.Misc&perf.CommExec != 0 {
			put(" exec")
		}
		put(": %s:%d/%d", name, process, thread)
	case perf.Fork, perf.Exit:
		t, ok := x.Task()
		s.short = !ok
		put("(%d:%d):(%d:%d)", t.Process, t.Thread, t.Parent, t.ParentThread)
	case perf.Mmap, perf.Mmap2:
		m, ok := x.Mapped()
		s.short = !ok
		out = mapping(x, &m)
	case perf.Lost, perf.LostSamples:
		put(" lost %d", s.uint("lost"))
	case perf.Switch, perf.SwitchCPUWide:
		out = s.switched()
	case perf.Namespaces:
		put(" %d/%d - nr_namespaces: %s", s.int("pid"), s.int("tid"), s.namespaces())
	case perf.Cgroup:
		put(" cgroup: %d %s", s.uint("id"), s.string("path"))
	case perf.Ksymbol:
		g, ok := x.Generated()
		s.short = !ok
		put(" addr %x len %d type %d flags 0x%x name %s", g.Start, g.Size, g.Type, g.Flags, g.Name)
	case perf.BPFEvent:
		put(" type %d, flags %d, id %d", s.uint("type"), s.uint("flags"), s.uint("id"))
	}
	return out
}

// mapping returns the text of a mapping: process, place in memory, and file.
func mapping(x *perf.Entry, m *perf.Mapped) []byte {
	out := fmt.Appendf(nil, " %d/%d: [%s(%s) @ %s", m.Process, m.Thread, offset(m.Start), offset(m.Size),
		offset(m.Offset))
	switch {
	case x.Event.Kind == perf.Mmap && x.Misc&miscData != 0:
		return fmt.Appendf(out, "]: r %s", m.File)
	case x.Event.Kind == perf.Mmap:
		return fmt.Appendf(out, "]: x %s", m.File)
	case m.BuildID != nil:
		out = fmt.Appendf(out, " <%x>", m.BuildID)
	default:
		out = fmt.Appendf(out, " %02x:%02x %d %d", m.Major, m.Minor, m.Inode, m.Generation)
	}
	return fmt.Appendf(out, "]: %s %s", protection(m), m.File)
}

// offset returns a number as C prints it by %#x.
func offset(n uint64) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%#x", n)
}

// protection returns prot and flags as in /proc/PID/maps.
func protection(m *perf.Mapped) []byte {
	out := []byte("---p")
	for i, c := range "rwx" {
		if m.Protection>>i&1 != 0 {
			out[i] = byte(c)
		}
	}
	if m.Flags&1 != 0 { // MAP_SHARED
		out[3] = 's'
	}
	return out
}

func (s *sideRecord) switched() []byte {
	what, other := " IN         ", "prev"
	if s.entry.Misc&perf.SwitchOut != 0 {
		what, other = " OUT        ", "next"
		if s.entry.Misc&perf.SwitchPreempted != 0 {
			what = " OUT preempt"
		}
	}
	if s.entry.Event.Kind == perf.Switch {
		return []byte(what)
	}
	return fmt.Appendf(nil, "%s  %s pid/tid: %5d/%-5d", what, other, s.int("next_prev_pid"), s.int("next_prev_tid"))
}

// namespaceNames are the kinds of namespaces, in the order of the record.
var namespaceNames = []string{"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"}

// namespaces returns the number of namespaces and their devices and inodes, four on a line.
func (s *sideRecord) namespaces() []byte {
	list := s.value("namespaces")
	out := fmt.Appendf(nil, "%d\n\t\t[", list.Len())
	for i := range list.Len() {
		if i > 0 && i%4 == 0 {
			out = append(out, "\n\t\t "...)
		}
		name := "?"
		if i < len(namespaceNames) {
			name = namespaceNames[i]
		}
		var dev, inode uint64
		for f, v := range list.Elem(i).Fields() {
			if f.Name == "dev" {
				dev = v.Uint()
			} else {
				inode = v.Uint()
			}
		}
		out = fmt.Appendf(out, "%d/%s: %d/%#x", i, name, dev, inode)
		if i+1 < list.Len() {
			out = append(out, ", "...)
		}
	}
	return append(out, ']')
}
