package perfetto

import (
	"strconv"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/ftrace"
)

// call is a system call by its number.
type call struct {
	typ    *tracec.Type
	number uint64
}

// appendCall appends the name of a system call to a SliceNameTranslationTable. It replaces the
// number in the names of slices, for machines whose calls the trace processor cannot name.
func appendCall(dst []byte, c call) []byte {
	name := strings.TrimPrefix(strings.TrimPrefix(c.typ.Name, "sys_enter_"), "sys_exit_")
	dst, entry := begin(dst, translationNames)
	dst = appendText(dst, mapKey, "sys_"+strconv.FormatInt(int64(c.number), 10))
	dst = appendText(dst, mapValue, "sys_"+name)
	return end(dst, entry)
}

// maxSought is the number of records that are read to find the events of system calls. Some hundred
// suffice on a machine that runs programs.
const maxSought = 1 << 20

// twice reports whether system calls are recorded both as events of syscalls and of raw_syscalls.
// The trace processor would make two slices of each call. This must be known before the first call,
// so the first records are read twice.
func (w *eventWriter) twice(r *tracec.Reader) bool {
	const raw, named = 1, 2
	kinds, all := map[uint32]uint8{}, uint8(0)
	for _, f := range w.rec.Formats() {
		k := map[string]uint8{"raw_syscalls": raw, "syscalls": named}[f.System]
		if k != 0 && r.Chooses(f.System, f.Name, "") {
			kinds[uint32(f.ID)] = k
			all |= k
		}
	}
	if all != raw|named {
		return false
	}
	if w.rec.Live() != nil { // a growing recording cannot be read twice
		return true
	}
	m := w.rec.Merge(ftrace.StreamOptions{Options: r.Records()})
	defer m.Close()
	n := 0
	seen := make([]uint8, len(w.buffers))
	for rec := range m.All() {
		if n++; n > maxSought {
			break
		}
		if k := kinds[rec.ID]; k != 0 {
			of := &seen[w.streams[rec.Stream]]
			if *of |= k; *of == raw|named {
				return true
			}
		}
	}
	return false
}
