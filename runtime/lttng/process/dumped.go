package process

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// NoteOf returns the kind of name that textDump shows after a field (lttng.md 8.1), or "".
func NoteOf(m *lttng.Marker, field string) string {
	if d := m.Trace().Info().Dialect; d < lttng.V20 || d == lttng.Seed {
		return ""
	}
	switch m.Channel + "." + m.Name + "." + field {
	case "kernel.syscall_entry.syscall_id":
		return NoteSyscall
	case "kernel.softirq_entry.softirq_id", "kernel.softirq_exit.softirq_id", "kernel.softirq_raise.softirq_id":
		return NoteSoftirq
	}
	if m.Name == "kprobe" && field == "ip" {
		return NoteKprobe
	}
	return ""
}

// Dumped reads the names that the traces of a recording dump, at any place in the trace. It reads
// only the files of channels that have such events. It reads no file of a followed recording,
// because that may never end. The error is the reason for missing names. The names found are
// returned with it.
func Dumped(rec *lttng.Recording, o record.Options) (map[*lttng.Trace]*Names, error) {
	found := map[*lttng.Trace]*Names{}
	if rec.Live() != nil {
		return found, nil
	}
	named := func(k kind) bool { return k == nameSyscall || k == nameSoftirq || k == nameKprobe }
	ids := kinds([]uint32{}, rec, named)
	if len(ids) == 0 {
		return found, nil
	}
	type channel struct {
		trace *lttng.Trace
		name  string
	}
	channels := map[channel]bool{}
	for _, m := range rec.Markers() {
		if named(actionOf(m).kind) {
			channels[channel{m.Trace(), m.Channel}] = true
		}
	}
	var errs []error
	for _, s := range rec.Streams(record.Options{IDs: ids, Context: o.Context}) {
		if f := s.File(); channels[channel{f.Trace(), f.Channel}] || channels[channel{f.Trace(), ""}] {
			if err := addNames(found, s); err != nil {
				errs = append(errs, fmt.Errorf("%s: names of system calls: %w", s.File().Path, err))
			}
		}
		s.Close()
	}
	return found, errors.Join(errs...)
}

// addNames adds the names of one file.
func addNames(found map[*lttng.Trace]*Names, s *lttng.Stream) error {
	tr := s.File().Trace()
	if found[tr] == nil {
		found[tr] = &Names{}
	}
	actions := map[*lttng.Marker]action{}
	for {
		batch, err := s.Next()
		for i, e := range batch.Entries {
			if e.Marker == nil {
				continue
			}
			a, ok := actions[e.Marker]
			if !ok {
				a = actionOf(e.Marker)
				actions[e.Marker] = a
			}
			found[tr].name(&a, batch.Records[i].Data)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// name handles an event that names something.
func (n *Names) name(a *action, data []byte) {
	switch f := a.fields; a.kind {
	case nameSyscall:
		n.syscalls.set(f[0].Uint(data), f[1].Text(data))
	case nameSoftirq:
		n.softirqs.set(f[0].Uint(data), f[1].Text(data))
	case nameKprobe:
		n.kprobe(f[0].Uint(data), f[1].Text(data))
	default:
		return
	}
	n.frozen = nil
}

// Each returns an iterator over the names of a kind, by their numbers. n may be nil.
func (n *Names) Each(kind string) iter.Seq2[uint64, string] {
	return func(yield func(uint64, string) bool) {
		if n == nil {
			return
		}
		if kind == NoteKprobe {
			for _, addr := range slices.Sorted(maps.Keys(n.kprobes)) {
				if !yield(addr, n.kprobes[addr]) {
					return
				}
			}
			return
		}
		for id, name := range map[string]table{NoteSyscall: n.syscalls, NoteSoftirq: n.softirqs}[kind] {
			if name != "" && !yield(uint64(id), name) {
				return
			}
		}
	}
}
