package view

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/runtime/record"
)

// scheduled returns recordings. Most have events of the scheduler.
func scheduled(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../../testdata/tables/*/*.dat.zst")
	if err != nil || len(list) < 5 {
		t.Fatal("no recordings", err)
	}
	return append(list, extract)
}

// stateSum sums the states of a thread with one name.
type stateSum struct {
	count, unseen, cut, woken int
	time                      uint64
}

type stateKey struct {
	id, cpu int32
	state   string
}

// TestStates: the lanes have all rows of the table thread_state, with the same sums.
func TestStates(t *testing.T) {
	for _, name := range scheduled(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			rec, err := tracec.Open(context.Background(), name)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			x := indexed(t, opener(rec))
			want := map[stateKey]stateSum{}
			for row, err := range tables.ThreadState.Rows(context.Background(), rec) {
				if missing := (*tables.MissingError)(nil); errors.As(err, &missing) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				k := stateKey{row.Thread.TID, keyOf(row.Thread.TID, row.CPU).cpu, row.State}
				s := want[k]
				s.row(row, x.now)
				want[k] = s
			}
			got, states := stateSums(x)
			if states != x.states || (states == 0) != (len(want) == 0) {
				t.Errorf("%d states, %d counted", states, x.states)
			}
			for k, w := range want {
				if got[k] != w {
					t.Errorf("%+v: %+v, want %+v", k, got[k], w)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d sums, want %d", len(got), len(want))
			}
		})
	}
}

// row adds a row of the table.
func (s *stateSum) row(row *tables.State, now uint64) {
	s.count++
	dur, ok := row.Dur()
	switch {
	case ok:
		s.time += dur
	case row.NoBegin != tables.Known:
		s.unseen++
	case row.NoEnd == tables.OpenEnd:
		s.time += now - row.Begin
		s.cut++
	default:
		s.cut++
	}
	if row.Waker != nil {
		s.woken++
	}
}

// stateSums sums the lanes of states.
func stateSums(x *index) (sums map[stateKey]stateSum, states uint64) {
	sums = map[stateKey]stateSum{}
	var buf scratch
	for _, tr := range x.tracks {
		for i := range tr.states.all() {
			for _, it := range tr.states.decode(x.store, i, &buf) {
				c := x.causes[it.name]
				k := stateKey{tr.id, tr.cpu, c.state}
				s := sums[k]
				states++
				s.count++
				s.time += it.end - it.begin
				if it.flags&unseen != 0 {
					s.unseen++
				}
				if it.flags&cut != 0 {
					s.cut++
				}
				if c.waker >= 0 {
					s.woken++
				}
				sums[k] = s
			}
		}
	}
	return sums, states
}

// TestChosenStates: if some threads of a recording are selected, states still come from the events
// of all threads. Other threads get no track.
func TestChosenStates(t *testing.T) {
	rec, err := tracec.Open(context.Background(), mutex)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	whole := indexed(t, opener(rec))
	var busiest *track
	for _, tr := range whole.tracks {
		if tr.id > 0 && (busiest == nil || tr.states.count() > busiest.states.count()) {
			busiest = tr
		}
	}
	s := New(func(o record.Options, more ...tracec.Option) (*tracec.Reader, error) {
		o.Tasks = []int32{busiest.id}
		return opener(rec)(o, more...)
	}, Options{Whole: opener(rec)})
	s.read(t.Context())
	defer s.index.store.close()
	for _, tr := range s.index.tracks {
		n := tr.states.count()
		if tr.id != busiest.id && n != 0 {
			t.Errorf("thread %d has states", tr.id)
		}
		if tr.id == busiest.id && tr.cpu < 0 && (n == 0 || n < busiest.states.count()-2) { // until its last event
			t.Errorf("%d states, %d of all", n, busiest.states.count())
		}
	}
}

// TestWakes: the waker of a thread is found from the wait, from the state before it and from the
// state after it.
func TestWakes(t *testing.T) {
	s := serve(t, "../../testdata/tables/sched-mutex/sched-mutex.dat.zst")
	finished(t, s)
	var causes []causeAnswer
	askJSON(t, s, "causes?from=0", &causes)
	x := s.index
	woken := 0
	for i, tr := range x.tracks {
		var list []item
		var buf scratch
		for k := range tr.states.all() {
			list = append(list, tr.states.decode(x.store, k, &buf)...)
		}
		for k := 1; k+1 < len(list) && woken < 200; k++ {
			c := x.causes[list[k].name]
			if c.waker < 0 || list[k-1].end != list[k].begin || list[k].end != list[k+1].begin {
				continue
			}
			woken++
			if c.wait != "woken" && c.wait != "new" || causes[list[k].name].Waker != c.waker {
				t.Errorf("woken by %d: %+v, %+v", c.waker, c, causes[list[k].name])
			}
			for n := k - 1; n <= k+1; n++ {
				var wakes []wakeAnswer
				askJSON(t, s, "wakes?lane="+strconv.Itoa(i)+".s&index="+strconv.Itoa(n), &wakes)
				if len(wakes) != 1 || uint64(wakes[0].Time)+x.base != list[k].begin || wakes[0].Cause != list[k].name {
					t.Errorf("state %d of track %d: %+v, want one at %d", n, i, wakes, list[k].begin-x.base)
				}
			}
		}
	}
	if woken < 50 {
		t.Errorf("only %d wakeups", woken)
	}
}
