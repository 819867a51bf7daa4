package record_test

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/record"
	"pgregory.net/rapid"
)

// noted is a stream whose entries are the ids of its records.
type noted struct {
	slices
	notes []uint32
}

func (s *noted) Next() (record.Batch[uint32], error) {
	for i := range s.notes {
		s.notes[i] = 0xdead // contents of an earlier batch are gone
	}
	batch, err := s.slices.Next()
	s.notes = s.notes[:0]
	for _, r := range batch.Records {
		s.notes = append(s.notes, r.ID)
	}
	return record.Batch[uint32]{Records: batch.Records, Entries: s.notes}, err
}

// drawNoted draws streams whose records have distinct ids, and returns the ids in time order.
func drawNoted(t *rapid.T) (streams func() []*noted, want []uint32) {
	make, all := drawStreams(t, true)
	sort.SliceStable(all, func(i, j int) bool { return all[i].Time < all[j].Time })
	id := uint32(0)
	number := func() []*noted {
		var list []*noted
		id = 0
		for _, s := range make() {
			n := &noted{slices: *s.(*slices)}
			for _, b := range n.batches {
				for i := range b {
					id++
					b[i].ID = id
				}
			}
			list = append(list, n)
		}
		return list
	}
	streams = number
	at := map[int32][]uint32{}
	for i, s := range number() {
		for _, b := range s.batches {
			for _, r := range b {
				at[int32(i)] = append(at[int32(i)], r.ID)
			}
		}
	}
	for _, r := range all {
		want = append(want, at[r.Stream][0])
		at[r.Stream] = at[r.Stream][1:]
	}
	return streams, want
}

// Every kind of merge returns the entry of each record, in time order.
func TestMergeEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		streams, want := drawNoted(t)
		check := func(how string, walk func(m *record.Merger[uint32], fn func(*record.Record, *uint32)) error) {
			closed := 0
			m := record.Merge(streams(), func() { closed++ })
			var got []uint32
			err := walk(m, func(r *record.Record, e *uint32) {
				if r.ID != *e {
					t.Errorf("%s: record %d has the entry of %d", how, r.ID, *e)
				}
				got = append(got, *e)
			})
			if err != nil {
				t.Errorf("%s: %v", how, err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", how, d)
			}
			if m.Close(); closed != 1 {
				t.Errorf("%s: closed %d times", how, closed)
			}
		}
		check("Run", func(m *record.Merger[uint32], fn func(*record.Record, *uint32)) error {
			return m.Run(func(r *record.Record, e *uint32) error { fn(r, e); return nil })
		})
		check("EachRun", func(m *record.Merger[uint32], fn func(*record.Record, *uint32)) error {
			return m.EachRun(func(records []record.Record, entries []uint32) error {
				for i := range records {
					fn(&records[i], &entries[i])
				}
				return nil
			})
		})
		check("All", func(m *record.Merger[uint32], fn func(*record.Record, *uint32)) error {
			for r, e := range m.All() {
				fn(r, e)
			}
			return m.Err()
		})
	})
}

func three() []*noted {
	var streams []*noted
	for i := range 3 {
		streams = append(streams, &noted{slices: slices{batches: [][]record.Record{{{Time: uint64(i), ID: 1}},
			{{Time: uint64(10 + i), ID: 2}}}}})
	}
	return streams
}

// Breaking off a loop closes the streams.
func TestMergeAllStops(t *testing.T) {
	closed, n := 0, 0
	for range record.Merge(three(), func() { closed++ }).All() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 || closed != 1 {
		t.Errorf("%d records, closed %d times", n, closed)
	}
}

// A stream that fails loses only its own remaining records, however the other streams are walked.
func TestFailedStreamOfMany(t *testing.T) {
	broken := errors.New("broken")
	failing := func() []*noted {
		streams := three()
		streams[1].batches, streams[1].err = streams[1].batches[:1], broken
		return streams
	}
	count := func(n *int) func([]record.Record, []uint32) error {
		return func(records []record.Record, entries []uint32) error {
			for i := range records {
				if records[i].ID == entries[i] {
					*n++
				}
			}
			return nil
		}
	}
	for name, walk := range map[string]func(n *int) error{
		"EachRun":       func(n *int) error { return record.Merge(failing(), nil).EachRun(count(n)) },
		"InStreamOrder": func(n *int) error { return record.InStreamOrder(failing(), count(n)) },
		"All": func(n *int) error {
			m := record.Merge(failing(), nil)
			for range m.All() {
				*n++
			}
			return m.Err()
		},
	} {
		n := 0
		if err := walk(&n); !errors.Is(err, broken) || n != 5 {
			t.Errorf("%s: %d records, %v", name, n, err)
		}
	}
}

// numbered is a stream that sets Record.Stream itself.
type numbered struct {
	noted
	index int32
}

func (s *numbered) Number(index int32) { s.index = index }

func (s *numbered) Next() (record.Batch[uint32], error) {
	batch, err := s.noted.Next()
	for i := range batch.Records {
		batch.Records[i].Stream = s.index
	}
	return batch, err
}

func TestStreamOrderNumbersStreams(t *testing.T) {
	var streams []*numbered
	for _, s := range three() {
		streams = append(streams, &numbered{noted: *s, index: -1})
	}
	var got []int32
	err := record.InStreamOrder(streams, func(records []record.Record, _ []uint32) error {
		got = append(got, records[0].Stream)
		return nil
	})
	if d := cmp.Diff([]int32{0, 0, 1, 1, 2, 2}, got); d != "" || err != nil {
		t.Errorf("%v, (-want +got):\n%s", err, d)
	}
	if err := record.InStreamOrder([]emptyBatches{{}},
		func([]record.Record, []record.None) error { return nil }); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a stream of empty batches: %v", err)
	}
}

// short is a stream that breaks its contract: it has fewer entries than records.
type short struct{ noted }

func (s *short) Next() (record.Batch[uint32], error) {
	batch, err := s.noted.Next()
	batch.Entries = batch.Entries[:len(batch.Records)/2]
	return batch, err
}

func TestStreamWithoutEntriesEnds(t *testing.T) {
	streams := func() []record.Stream[uint32] {
		all := three()
		return []record.Stream[uint32]{all[0], &short{*all[1]}, all[2]}
	}
	m := record.Merge(streams(), nil)
	n := 0
	for range m.All() {
		n++
	}
	if n != 4 || m.Err() == nil {
		t.Errorf("merged: %d records, %v", n, m.Err())
	}
	n = 0
	err := record.InStreamOrder(streams(), func(records []record.Record, _ []uint32) error {
		n += len(records)
		return nil
	})
	if n != 4 || err == nil {
		t.Errorf("in stream order: %d records, %v", n, err)
	}
}

// A closed merge returns no more records, because the memory they point to may be gone.
func TestClosedMergeHasEnded(t *testing.T) {
	m := record.Merge(three(), nil)
	for range m.All() {
		break
	}
	if records, _, err := m.NextRun(); err != io.EOF || len(records) > 0 {
		t.Errorf("%d records, %v", len(records), err)
	}
}

// A callback can end every walk. ErrStop ends it without an error.
func TestCallbackEndsWalk(t *testing.T) {
	enough := errors.New("enough")
	for _, end := range []error{enough, record.ErrStop, fmt.Errorf("wrapped: %w", record.ErrStop)} {
		want := end
		if errors.Is(end, record.ErrStop) {
			want = nil
		}
		n, closed := 0, 0
		merged := func() *record.Merger[uint32] { return record.Merge(three(), func() { closed++ }) }
		stop := func([]record.Record, []uint32) error { n++; return end }
		if err := merged().EachRun(stop); err != want || n != 1 || closed != 1 {
			t.Errorf("EachRun: %d runs, closed %d times, %v, want %v", n, closed, err, want)
		}
		n = 0
		if err := record.InStreamOrder(three(), stop); err != want || n != 1 {
			t.Errorf("InStreamOrder: %d batches, %v, want %v", n, err, want)
		}
		n = 0
		if err := merged().Run(func(*record.Record, *uint32) error { n++; return end }); err != want || n != 1 {
			t.Errorf("Run: %d records, %v, want %v", n, err, want)
		}
	}
}
