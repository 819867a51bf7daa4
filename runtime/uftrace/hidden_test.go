package uftrace_test

import (
	"encoding/binary"
	"testing"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestHide: a stream skips exactly the records below calls of a depth, also records with payloads.
// From a loss on it skips nothing, and the loss begins a batch.
func TestHide(t *testing.T) {
	for _, name := range []string{"abc-full", "args-spec"} {
		testHide(t, name, false)
		testHide(t, name, true)
	}
}

func testHide(t *testing.T, name string, lost bool) {
	t.Helper()
	files := load(t, name)
	whole := open(t, files).Tasks()[0].File
	if lost {
		mark := binary.LittleEndian.AppendUint64(make([]byte, 8), 3<<16|5<<3|uint64(uftrace.Lost))
		files[whole].Data = append(append(files[whole].Data, mark...), files[whole].Data...)
	}
	rec := open(t, files)
	none := make([]bool, len(rec.Symbols()))
	hidden := &uftrace.Hidden{Depth: 1, Functions: none, Ends: none}
	all, s := rec.Streams(record.Options{})[0], rec.Streams(record.Options{})[0]
	skipped := s.Hide(hidden)
	type seen struct {
		uftrace.Entry
		data string
	}
	var want, got []seen
	met := false
	for b, err := all.Next(); err == nil; b, err = all.Next() {
		for i, e := range b.Entries {
			if met = met || e.Kind == uftrace.Lost; met || e.Depth <= 1 {
				want = append(want, seen{e, string(b.Records[i].Data)})
			}
		}
	}
	for b, err := s.Next(); err == nil; b, err = s.Next() {
		if !skipped.Over && b.Entries[0].Kind == uftrace.Lost {
			t.Error("not over at a loss")
		}
		for i, e := range b.Entries {
			got = append(got, seen{e, string(b.Records[i].Data)})
		}
	}
	if len(got) != len(want) || met != lost || skipped.Over != lost || skipped.Last == nil {
		t.Fatalf("%s: %d records, want %d; loss %v, over %v", name, len(got), len(want), met, skipped.Over)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("record %d: %v, want %v", i, got[i], want[i])
		}
	}
}
