package ftrace

import (
	"fmt"
	"regexp"
	"sync"
)

// A layout is the form of a ring buffer page and of a record header in the recorded kernel. All of
// it comes from the recording: header_page, header_event and the common fields of its formats.
type layout struct {
	big      bool
	word     int // size of commit, which is a long
	stampOff int
	commit   int // offset
	data     int // offset of the first event
	typeOff  int // common_type in a record
	typeSize int
	pidOff   int // offset of common_pid; -1 if events have no such field
	pidSize  int
	capacity int // size of the data part according to header_page
}

// plain reports whether a record's header has the form that all current kernels write. A separate,
// shorter loop reads this form.
func (l *layout) plain() bool {
	return !l.big && l.typeOff == 0 && l.typeSize == 2 && l.pidOff == 4 && l.pidSize == 4
}

// parseHeaderPage reads the fields of events/header_page (ftrace.md 2.1). If text lacks them, the
// layout is for a kernel whose word is as large as the recorder's.
func (l *layout) parseHeaderPage(text string, word int) error {
	l.word, l.stampOff, l.commit, l.data = word, 0, 8, 8+word
	stamp := false
	for _, f := range parseFields(text) {
		switch f.Name {
		case "timestamp":
			if f.Size != 8 {
				return fmt.Errorf("%w: timestamp of %d bytes", ErrUnsupported, f.Size)
			}
			l.stampOff, stamp = f.Offset, true
		case "commit":
			l.commit, l.word = f.Offset, f.Size
		case "data":
			l.data, l.capacity = f.Offset, f.Size
		}
	}
	if !stamp {
		return fmt.Errorf("%w: no field timestamp", ErrCorrupt)
	}
	if l.word != 4 && l.word != 8 {
		return fmt.Errorf("%w: commit of %d bytes", ErrCorrupt, l.word)
	}
	if l.data > 1<<16 || l.stampOff+8 > l.data || l.commit+l.word > l.data {
		return fmt.Errorf("%w: timestamp or commit after the data", ErrCorrupt)
	}
	return nil
}

var headerEventBits = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*(type_len|time_delta|array|type|len)\s*:\s*(\d+)\s*bits`)
})

// parseHeaderEvent checks the widths in events/header_event. Kernels up to 2.6.30 had 2 bits of
// type and 3 of length. No recorder of trace.dat version 6 is that old, so these widths are only
// reported.
func parseHeaderEvent(text string) error {
	want := map[string]string{"type_len": "5", "time_delta": "27", "array": "32"}
	for _, m := range headerEventBits().FindAllStringSubmatch(text, -1) {
		if want[m[1]] != m[2] {
			return fmt.Errorf("%w: events with %s of %s bits", ErrUnsupported, m[1], m[2])
		}
	}
	return nil
}

// bindCommon sets the places of common_type and common_pid from the first event that has both.
// Events of a pKVM hypervisor have no pid. They are few and in a buffer of their own.
func (l *layout) bindCommon(formats []*Format) error {
	l.typeOff, l.typeSize, l.pidOff, l.pidSize = 0, 2, 4, 4
	for _, f := range formats {
		t, p := f.Field("common_type"), f.Field("common_pid")
		if t == nil || p == nil {
			continue
		}
		if (t.Size != 1 && t.Size != 2 && t.Size != 4) || (p.Size != 2 && p.Size != 4) || t.Offset > 1<<10 ||
			p.Offset > 1<<10 {
			return fmt.Errorf("%w: common_type of %d bytes, common_pid of %d", ErrCorrupt, t.Size, p.Size)
		}
		l.typeOff, l.typeSize, l.pidOff, l.pidSize = t.Offset, t.Size, p.Offset, p.Size
		return nil
	}
	return nil
}

// taskless is the set of event ids whose records have no pid.
type taskless [1 << 16 / 64]uint64

func newTaskless(formats []*Format) *taskless {
	var t *taskless
	for _, f := range formats {
		if f.ID < 1<<16 && f.Field("common_type") != nil && f.Field("common_pid") == nil {
			if t == nil {
				t = new(taskless)
			}
			t[f.ID/64] |= 1 << (f.ID % 64)
		}
	}
	return t
}

func (t *taskless) has(id uint32) bool { return id < 1<<16 && t[id/64]>>(id%64)&1 != 0 }
