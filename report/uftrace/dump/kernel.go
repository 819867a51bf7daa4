package dump

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// kernel prints the kernel's files after an empty line. An empty file has no heading.
func (d *dumper) kernel() error {
	streams := d.rec.KernelStreams()
	if len(streams) > 0 {
		d.out = append(d.out, '\n')
	}
	for _, s := range streams {
		if d.empty(s.File()) {
			continue
		}
		d.out = append(append(append(d.out, "reading "...), s.File()...), '\n')
		k := kernelFile{dumper: d, s: s}
		if err := d.drain(s, k.record); err != nil {
			return err
		}
	}
	return nil
}

// kernelFile prints one file of the kernel.
type kernelFile struct {
	*dumper
	s     *uftrace.KernelStream
	begun bool // a record was printed
	hex   hexLines
	// inside holds the depth of the selected call that a thread is in, plus one, by thread.
	inside map[int32]int
}

// chosen reports whether a record is from a selected thread, and from a selected function or one of
// its callees.
func (k *kernelFile) chosen(r *record.Record, e *uftrace.Entry) bool {
	f := &k.opts.Play
	if !f.Scope.HasTask(r.Task) {
		return false
	}
	if f.Functions.Only == nil || e.Kind == uftrace.Lost {
		return true
	}
	if k.inside == nil {
		k.inside = map[int32]int{}
	}
	in, depth := k.inside[r.Task], int(e.Depth)+1
	switch {
	case e.Kind == uftrace.Enter && (in == 0 || depth <= in): // the end of the previous call may be lost
		k.inside[r.Task] = 0
		if e.Sym == nil || !f.Functions.Only(e.Sym) {
			return false
		}
		k.inside[r.Task] = depth
	case e.Kind == uftrace.Leave && in > 0 && depth <= in:
		k.inside[r.Task] = 0
		return depth == in
	default:
		return in > 0
	}
	return true
}

func (k *kernelFile) record(i int, r *record.Record, e *uftrace.Entry) {
	if !k.span.holds(r.Time) || k.opts.All && !k.chosen(r, e) || !k.matches(r, e) {
		return
	}
	k.shown++
	if !k.begun {
		k.begun = true
		k.extend(r)
	}
	k.out = k.clock.Append(k.out, r.Time)
	k.out = appendTID(k.out, r.Task, k.wide())
	k.out = append(k.out, kindNames[e.Kind&3]...)
	switch e.Kind {
	case uftrace.Lost:
		k.out = fmt.Appendf(k.out, ": %d events\n", e.Addr)
		return
	case uftrace.Event:
		k.event(r, e)
	default:
		k.out = append(append(k.out, ' '), k.names.Text(e.Addr, e.Sym)...)
		k.out = append(strconv.AppendUint(k.out, uint64(e.Depth), 10), '\n')
	}
	if k.opts.Debug {
		at, raw := k.s.Raw(i)
		k.hex.offset = uint64(at)
		k.out = k.hex.append(k.out, raw)
	}
}

// event prints a tracepoint: its name, its id in decimal and its text.
func (k *kernelFile) event(r *record.Record, e *uftrace.Entry) {
	k.out = append(append(append(k.out, ' '), k.rec.EventName(r.ID)...), '(')
	k.out = append(strconv.AppendUint(k.out, e.Addr, 10), ')')
	k.out = append(k.vals.AppendTracepoint(append(k.out, ' '), r.ID, r.Data), '\n')
}

// extend prints the time extend before the first record of a file. Like uftrace, it does not print
// later ones.
func (k *kernelFile) extend(r *record.Record) {
	_, ns, ok := k.s.TimeExtend()
	if !ok {
		return
	}
	k.out = k.clock.Append(k.out, r.Time-ns)
	k.out = appendTID(k.out, r.Task, k.wide())
	k.out = fmt.Appendf(k.out, "[time ] extend (+%d nsec)\n", ns)
	if k.opts.Debug {
		// A time extend is type 30, the low 27 bits of the time, then the high bits (uftrace.md
		// 1.10). The header of the page precedes it.
		const pageHeader = 16
		var b [8]byte
		binary.LittleEndian.PutUint32(b[:], 30|uint32(ns)<<5)
		binary.LittleEndian.PutUint32(b[4:], uint32(ns>>27))
		k.hex.offset = pageHeader
		k.out = k.hex.append(k.out, b[:])
	}
}
