package record_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/internal/choice"
	"github.com/tracec/tracec/runtime/record"
	"pgregory.net/rapid"
)

// chosen is a stream with a selection, as in containers.
type chosen struct {
	noted
	choice *choice.Choice
}

func (s *chosen) Next() (record.Batch[uint32], error) {
	if s.choice == nil {
		return s.noted.Next()
	}
	return choice.Next(s.choice, s.noted.Next)
}

// read returns the records of a stream, whose entries differ.
func read(t *rapid.T, s record.Stream[uint32]) (all []record.Record) {
	for {
		b, err := s.Next()
		if len(b.Records) == 0 && err == nil {
			t.Fatal("an empty batch")
		}
		for i, r := range b.Records {
			if b.Entries[i] != r.ID {
				t.Fatalf("record %d has the entry of %d", r.ID, b.Entries[i])
			}
			all = append(all, r)
		}
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The selected records are the same as with a filter over all records.
func TestChoose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Int32Range(-1, 4)
		set := rapid.OneOf(rapid.Just([]int32(nil)), rapid.SliceOfN(number, 0, 4))
		kind := rapid.SampledFrom([]uint32{0, 1, 5, 63, 64, 1<<16 - 1, 1 << 16, 1<<32 - 1})
		kinds := rapid.OneOf(rapid.Just([]uint32(nil)), rapid.SliceOfN(kind, 0, 8))
		o := record.Options{CPUs: set.Draw(t, "cpus"), Tasks: set.Draw(t, "tasks"), IDs: kinds.Draw(t, "ids"),
			After:     kinds.Draw(t, "after"),
			LostSince: rapid.Uint64Range(0, 20).Draw(t, "lost since"), Since: rapid.Uint64Range(0, 20).Draw(t, "since"),
			Until: rapid.Uint64Range(0, 20).Draw(t, "until")}
		var all []record.Record
		batches := make([][]record.Record, rapid.IntRange(0, 5).Draw(t, "batches"))
		for i := range batches {
			for range rapid.IntRange(1, 5).Draw(t, "records") {
				r := record.Record{ID: kind.Draw(t, "id"), Time: rapid.Uint64Range(0, 20).Draw(t, "time"),
					CPU: number.Draw(t, "cpu"), Task: number.Draw(t, "task"),
					Lost: rapid.SampledFrom([]int64{0, 0, 0, 2, record.LostUnknown}).Draw(t, "lost")}
				batches[i], all = append(batches[i], r), append(all, r)
			}
		}
		var want []record.Record
		var lost int64
		took, forget := false, rapid.Bool().Draw(t, "forget")
		for _, r := range all {
			if r.Time < o.Since || o.Until > 0 && r.Time >= o.Until {
				took = false
				continue
			}
			sum := lost + r.Lost
			if r.Lost < 0 || lost < 0 {
				sum = record.LostUnknown
			}
			if (o.CPUs == nil || r.CPU >= 0 && o.HasCPU(r.CPU)) &&
				(o.Tasks == nil || r.Task >= 0 && o.HasTask(r.Task)) &&
				(o.HasID(r.ID) || took && o.After != nil && (&record.Options{IDs: o.After}).HasID(r.ID)) {
				r.Lost, lost, took = sum, 0, true
				want = append(want, r)
				continue
			}
			if took = false; !forget && r.Time >= o.LostSince {
				lost = sum
			}
		}
		var traits []choice.Trait
		if forget {
			traits = append(traits, choice.Forgetful)
		}
		c := choice.Of(&o, traits...)
		if rapid.Bool().Draw(t, "kinds") { // containers skip these beforehand
			left := batches[:0]
			for _, b := range batches {
				if b = b[:c.Sift(b)]; len(b) > 0 {
					left = append(left, b)
				}
			}
			batches = left
		}
		if bits, complete := c.Kinds().Bits(); complete && rapid.Bool().Draw(t, "bits") {
			left := batches[:0]
			for _, b := range batches {
				if b = ofKinds(b, bits); len(b) > 0 {
					left = append(left, b)
				}
			}
			batches = left
		}
		got := read(t, &chosen{noted{slices: slices{batches: batches}}, c})
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%+v (-want +got):\n%s", o, d)
		}
	})
}

// TestLostAfterPassedOver checks that a record without a time counts as near the skipped records
// before it.
func TestLostAfterPassedOver(t *testing.T) {
	for _, o := range []record.Options{{LostSince: 10, IDs: []uint32{1}}, {Since: 10, IDs: []uint32{1}}} {
		for last, want := range map[uint64]int64{9: 0, 10: 3} {
			c := choice.Of(&o, choice.Untimed)
			c.Pass(last)
			gap, next := record.Record{ID: 2, Lost: 3}, record.Record{ID: 1, Time: 20}
			if c.Takes(&gap) || !c.Takes(&next) || next.Lost != want {
				t.Errorf("%+v: %d lost after records up to %d, want %d", o, next.Lost, last, want)
			}
		}
	}
}

// TestAfterWhatWasLeftOut checks a record that is kept because of the loss before it. It does not
// directly follow the records before the skipped ones.
func TestAfterWhatWasLeftOut(t *testing.T) {
	o := record.Options{IDs: []uint32{1}, After: []uint32{2}}
	for _, batches := range [][][]record.Record{
		{{{ID: 1, Time: 1}, {ID: 3, Time: 2}, {ID: 2, Time: 3, Lost: 5}, {ID: 1, Time: 4}, {ID: 2, Time: 5}}},
		{{{ID: 1, Time: 1}}, {{ID: 3, Time: 2}}, {{ID: 2, Time: 3, Lost: 5}, {ID: 2, Time: 3}}, {{ID: 1, Time: 4}},
			{{ID: 2, Time: 5}}},
	} {
		chosen, next := choice.Of(&o), 0
		var got []record.Record
		for {
			b, err := choice.Next(chosen, func() (record.Batch[record.None], error) {
				if next == len(batches) {
					return record.Batch[record.None]{}, io.EOF
				}
				list := batches[next]
				next++
				return record.Plain(list[:chosen.Sift(list)]), nil
			})
			if err != nil {
				break
			}
			got = append(got, b.Records...)
		}
		if d := cmp.Diff([]record.Record{{ID: 1, Time: 1}, {ID: 1, Time: 4, Lost: 5}, {ID: 2, Time: 5}}, got); d != "" {
			t.Errorf("%d batches (-want +got):\n%s", len(batches), d)
		}
	}
}

// ofKinds returns the records whose kind has its bit, and the records with a loss before them.
func ofKinds(records []record.Record, bits []uint64) (left []record.Record) {
	for _, r := range records {
		if w := int(r.ID / 64); r.Lost != 0 || w < len(bits) && bits[w]>>(r.ID%64)&1 != 0 {
			left = append(left, r)
		}
	}
	return left
}

func TestChoiceOfEverythingCostsNothing(t *testing.T) {
	for _, o := range []record.Options{{}, {Context: context.Background()}} {
		if c := choice.Of(&o); c != nil {
			t.Errorf("%+v: %+v", o, c)
		}
	}
	if c := choice.Of(&record.Options{CPUs: []int32{}}); c == nil {
		t.Error("no processor is all of them")
	}
}

// A done context ends all streams within a batch, with one error.
func TestContextEndsStreams(t *testing.T) {
	streams := func(o record.Options) (all []*chosen) {
		for _, s := range three() {
			all = append(all, &chosen{*s, choice.Of(&o)})
		}
		return all
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m := record.Merge(streams(record.Options{Context: ctx}), nil)
	n := 0
	for range m.All() {
		cancel()
		n++
	}
	if n != 1 || m.Err() == nil || m.Err().Error() != context.Canceled.Error() ||
		!errors.Is(m.Err(), context.Canceled) {
		t.Errorf("All: %d records, %v", n, m.Err())
	}
	err := record.InStreamOrder(streams(record.Options{Context: ctx}),
		func([]record.Record, []uint32) error { t.Error("a batch after the end"); return nil })
	if err == nil || err.Error() != context.Canceled.Error() {
		t.Errorf("InStreamOrder: %v", err)
	}
	err = record.Merge(streams(record.Options{Context: ctx}),
		nil).EachRun(func([]record.Record, []uint32) error { t.Error("a run after the end"); return nil })
	if err == nil || err.Error() != context.Canceled.Error() {
		t.Errorf("EachRun: %v", err)
	}
}

func TestChooseDoesNotAllocate(t *testing.T) {
	s := &endless{choice: choice.Of(&record.Options{Since: 1, Tasks: []int32{0, 3, 5}, Context: t.Context()})}
	n := testing.AllocsPerRun(1000, func() {
		if b, err := s.Next(); err != nil || len(b.Records) == 0 {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations per batch, want 0", n)
	}
}

// endless is a stream without an end, with a selection.
type endless struct {
	bursts
	choice *choice.Choice
}

func (s *endless) read() (batch, error) {
	s.left = 2
	return s.bursts.Next()
}

func (s *endless) Next() (batch, error) { return choice.Next(s.choice, s.read) }
