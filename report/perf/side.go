package perf

import (
	"encoding/binary"
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

// The bits of misc that are printed (perf.md 1.2).
const (
	miscBuildID = 0x4000 // of Mmap2
	miscData    = 0x2000 // of Mmap
)

// side prints a side-band record (perf.md 10).
func (p *printer) side(e *tracec.Event, x *perf.Entry) {
	for _, c := range p.sideHead {
		p.buf = c(p.buf, e, x)
	}
	p.buf = append(append(p.buf, x.Event.Name...), p.sideText(e, x)...)
}

// sideText returns what follows the name. A record that is too short for its type has no text.
func (p *printer) sideText(e *tracec.Event, x *perf.Entry) []byte {
	s := &sideRecord{Event: e, misc: x.Misc, big: p.big}
	out := s.text(x)
	if s.short {
		return []byte(" (cut short)")
	}
	return out
}

// sideRecord gives access to the fields of a record by their names.
type sideRecord struct {
	*tracec.Event
	misc  uint16
	big   bool
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

func (s *sideRecord) text(x *perf.Entry) []byte {
	var out []byte
	put := func(format string, args ...any) { out = fmt.Appendf(out, format, args...) }
	switch x.Event.Kind {
	case perf.Comm:
		if s.misc&perf.CommExec != 0 {
			put(" exec")
		}
		put(": %s:%d/%d", s.string("comm"), s.int("pid"), s.int("tid"))
	case perf.Fork, perf.Exit:
		put("(%d:%d):(%d:%d)", s.int("pid"), s.int("tid"), s.int("ppid"), s.int("ptid"))
	case perf.Mmap:
		kind := 'x'
		if s.misc&miscData != 0 {
			kind = 'r'
		}
		put(" %s]: %c %s", s.mapping(), kind, s.string("filename"))
	case perf.Mmap2:
		put(" %s%s]: %s %s", s.mapping(), s.file(), s.protection(), s.string("filename"))
	case perf.Lost, perf.LostSamples:
		put(" lost %d", s.uint("lost"))
	case perf.Switch, perf.SwitchCPUWide:
		out = s.switched(x)
	case perf.Namespaces:
		put(" %d/%d - nr_namespaces: %s", s.int("pid"), s.int("tid"), s.namespaces())
	case perf.Cgroup:
		put(" cgroup: %d %s", s.uint("id"), s.string("path"))
	case perf.Ksymbol:
		put(" addr %x len %d type %d flags 0x%x name %s",
			s.uint("addr"), s.uint("len"), s.uint("type"), s.uint("flags"), s.string("name"))
	case perf.BPFEvent:
		put(" type %d, flags %d, id %d", s.uint("type"), s.uint("flags"), s.uint("id"))
	}
	return out
}

// mapping is the process, and the place in memory and in the file.
func (s *sideRecord) mapping() []byte {
	return fmt.Appendf(nil, "%d/%d: [%s(%s) @ %s", s.int("pid"), s.int("tid"), offset(s.uint("addr")),
		offset(s.uint("len")), offset(s.uint("pgoff")))
}

// offset is a number as C prints it by %#x.
func offset(n uint64) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%#x", n)
}

// file is the build id of a file, or its device, inode and generation.
func (s *sideRecord) file() []byte {
	b := s.value("file_id").Bytes()
	if len(b) < 24 {
		s.short = true
		return nil
	}
	if s.misc&miscBuildID != 0 {
		return fmt.Appendf(nil, " <%x>", b[4:4+min(int(b[0]), 20)])
	}
	var o binary.ByteOrder = binary.LittleEndian
	if s.big {
		o = binary.BigEndian
	}
	return fmt.Appendf(nil, " %02x:%02x %d %d", o.Uint32(b), o.Uint32(b[4:]), o.Uint64(b[8:]), o.Uint64(b[16:]))
}

// protection is prot and flags as in /proc/PID/maps.
func (s *sideRecord) protection() string {
	prot, flags, out := s.uint("prot"), s.uint("flags"), []byte("---p")
	for i, c := range "rwx" {
		if prot>>i&1 != 0 {
			out[i] = byte(c)
		}
	}
	if flags&1 != 0 { // MAP_SHARED
		out[3] = 's'
	}
	return string(out)
}

func (s *sideRecord) switched(x *perf.Entry) []byte {
	what, other := " IN         ", "prev"
	if s.misc&perf.SwitchOut != 0 {
		what, other = " OUT        ", "next"
		if s.misc&perf.SwitchPreempted != 0 {
			what = " OUT preempt"
		}
	}
	if x.Event.Kind == perf.Switch {
		return []byte(what)
	}
	return fmt.Appendf(nil, "%s  %s pid/tid: %5d/%-5d", what, other, s.int("next_prev_pid"), s.int("next_prev_tid"))
}

// namespaceNames are the kinds of namespaces, in the order of the record.
var namespaceNames = []string{"net", "uts", "ipc", "pid", "user", "mnt", "cgroup"}

// namespaces are the number of namespaces and their devices and inodes, four in a line.
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
