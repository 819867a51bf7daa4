package perf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
)

// told holds the thread and the processor of a record.
type told struct {
	Kind               Kind
	CPU, Task, Process int32
	Comm               string
	Lost               int64
}

func toldBy(r *Recording) (list []told) {
	each(r, func(x *record.Record, e *Entry, t record.Thread) {
		if e.Event.Kind != HeaderAttr {
			list = append(list, told{e.Event.Kind, x.CPU, x.Task, t.Process, t.Comm, x.Lost})
		}
	})
	return list
}

// TestThreadsOfSideBand: a record belongs to the thread that it describes, or to the thread in its
// trailer. The process is in the same place. In a record that perf makes, these are zeros.
func TestThreadsOfSideBand(t *testing.T) {
	trailer := func(pid, tid, time, cpu int) (b []byte) { return madeRecord(0, 0, pair(pid, tid), time, cpu)[8:] }
	made := func(kind Kind, trailer []byte, body ...any) []byte {
		b := append(madeRecord(kind, 0, body...), trailer...)
		b[6] = byte(len(b))
		return b
	}
	data := madePipe(madeAttr(HasTID|HasTime|HasCPU, uint64(SampleIDAll)),
		made(Comm, trailer(0, 0, 0, 0), pair(7, 7), "shell"),
		made(Switch, trailer(7, 9, 10, 1)),
		made(Fork, trailer(7, 7, 20, 1), pair(7, 7), pair(8, 7), 20),
		made(Fork, trailer(7, 7, 21, 1), pair(30, 7), pair(30, 7), 21),
		made(Mmap, trailer(30, 30, 30, 0), pair(30, 30), 0x1000, 0x1000, 0, "/bin/sh"),
		made(Lost, trailer(30, 30, 40, 1), 1, 5),
		made(LostSamples, trailer(30, 30, 50, 1), 6),
		made(LostSamples, trailer(0, 0, 0, 0), 11),
		made(Lost, nil, 1, 7), // too short for its trailer
	)
	want := []told{
		{Comm, 0, 7, 7, "shell", 0}, {LostSamples, 0, 0, 0, "swapper", 0}, {Lost, -1, -1, -1, "", 0},
		{Switch, 1, 9, 7, "", 0}, {Fork, 1, 8, 7, "shell", 0}, {Fork, 1, 30, 30, "shell", 0},
		{Mmap, 0, 30, 30, "shell", 0}, {Lost, 1, 30, 30, "shell", 5}, {LostSamples, 1, 30, 30, "shell", 6},
	}
	if d := cmp.Diff(want, toldBy(openMade(t, data))); d != "" {
		t.Error(d)
	}
}

// TestSideBandWithoutTrailers: files without sample_id_all, as before Linux 2.6.38.
func TestSideBandWithoutTrailers(t *testing.T) {
	data := madePipe(madeAttr(HasTID|HasTime, 0), madeRecord(Comm, 0, pair(7, 9), "shell"), madeRecord(Lost, 0, 1, 5))
	want := []told{{Comm, -1, 9, 7, "shell", 0}, {Lost, -1, -1, -1, "", 5}}
	if d := cmp.Diff(want, toldBy(openMade(t, data))); d != "" {
		t.Error(d)
	}
}
