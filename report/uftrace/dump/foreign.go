package dump

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// perf prints the perf files. Like uftrace, it numbers them by their position among the sorted
// names, regardless of the number in the name. An empty file has no heading. The empty line is
// printed only before the first file.
func (d *dumper) perf() error {
	if d.opts.Play.Events.None || d.opts.All && d.opts.Play.Functions.Only != nil { // events of perf are not functions
		return nil
	}
	for i, s := range d.rec.PerfStreams() {
		if d.empty(s.File()) {
			continue
		}
		if i == 0 {
			d.out = append(d.out, '\n')
		}
		d.out = fmt.Appendf(d.out, "reading perf-cpu%d.dat\n", i)
		var hex hexLines
		err := d.drain(s, func(_ int, r *record.Record, e *uftrace.Entry) {
			if d.perfEvent(r, e) && d.opts.Debug {
				d.out = hex.append(d.out, d.perfBytes(r, e))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// empty reports whether a file has size 0.
func (d *dumper) empty(file string) bool {
	st, err := fs.Stat(d.rec.FS(), file)
	return err == nil && st.Size() == 0
}

// drain calls show for all records of a file.
func (d *dumper) drain(s uftrace.Reader, show func(int, *record.Record, *uftrace.Entry)) error {
	for {
		batch, err := s.Next()
		recs, ents := batch.Records, batch.Entries
		for i := range recs {
			if show(i, &recs[i], &ents[i]); d.enough() {
				return errEnough
			}
		}
		if err := d.flushFull(); err != nil {
			return err
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				d.errs = append(d.errs, err)
			}
			return nil
		}
	}
}

// perfEvent prints an event unless filters exclude it. It reports whether the event was printed.
func (d *dumper) perfEvent(r *record.Record, e *uftrace.Entry) bool {
	f := &d.opts.Play
	if !f.Scope.HasTask(r.Task) || !d.span.holds(r.Time) {
		return false
	}
	switch r.ID {
	case callstack.SchedIn, callstack.SchedOut, callstack.SchedOutPreempt: // --no-sched-preempt has no effect here
		if f.HidesSchedules() {
			return false
		}
	}
	if !d.matches(r, e) {
		return false
	}
	d.shown++
	d.out = d.clock.Append(d.out, r.Time)
	d.out = append(append(appendTID(d.out, r.Task, d.wide()), kindNames[uftrace.Event]...), ' ')
	d.out = append(append(d.out, d.rec.EventName(r.ID)...), '(')
	d.out = append(strconv.AppendUint(d.out, uint64(r.ID), 10), ")\n"...)
	return true
}

// perfBytes returns the bytes of an event in uftrace's memory, which uftrace prints instead of the
// bytes of the file.
func (d *dumper) perfBytes(r *record.Record, e *uftrace.Entry) []byte {
	switch r.ID {
	case callstack.SchedIn:
		return []byte{0, 0}
	case callstack.SchedOut:
		return []byte{1, 0}
	case callstack.TaskNew, callstack.TaskExit:
		return r.Data // process and parent
	case callstack.TaskName:
		// The process, a flag for exec, the name in 16 bytes, and padding.
		b := make([]byte, 24)
		if t := d.rec.Task(r.Task); t != nil {
			binary.LittleEndian.PutUint32(b, uint32(t.PID))
		}
		b[4] = byte(e.Depth)
		copy(b[5:20], r.Data)
		return b
	}
	return nil
}
