package uftrace_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestHide: a stream skips exactly the records below calls of a depth, including records with
// payloads. After a loss it skips nothing, and the loss begins a batch.
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

// TestHideAcrossBlocks: of a call that ends in a later block, a stream skips only the records below
// inner calls that end in the same block.
func TestHideAcrossBlocks(t *testing.T) {
	files := load(t, "abc-full")
	whole := open(t, files).Tasks()[0].File
	var addrs []uint64
	data := files[whole].Data
	time := binary.LittleEndian.Uint64(data)
	for ; len(data) >= 16; data = data[16:] {
		addrs = append(addrs, binary.LittleEndian.Uint64(data[8:])>>16)
	}
	const deep, records = 40, 60_000
	random := rand.New(rand.NewPCG(1, 2))
	var stack []uint64
	data = nil
	for i := range records {
		begin := len(stack) == 0 || len(stack) < deep && random.IntN(1000) < 505
		if i > records-deep {
			begin = false
		}
		kind, addr := uftrace.Leave, addrs[random.IntN(len(addrs))]
		if begin {
			kind, stack = uftrace.Enter, append(stack, addr)
		} else if len(stack) == 0 {
			break
		} else {
			addr = stack[len(stack)-1]
		}
		time += uint64(random.IntN(3))
		data = binary.LittleEndian.AppendUint64(data, time)
		data = binary.LittleEndian.AppendUint64(data, addr<<16|uint64(len(stack)-1)<<6|5<<3|uint64(kind))
		if !begin {
			stack = stack[:len(stack)-1]
		}
	}
	files[whole].Data = data
	rec := open(t, files)
	none := make([]bool, len(rec.Symbols()))
	all, s := rec.Streams(record.Options{})[0], rec.Streams(record.Options{})[0]
	skipped := s.Hide(&uftrace.Hidden{Depth: 1, Functions: none, Ends: none})
	var want, got []uftrace.Entry
	for b, err := all.Next(); err == nil; b, err = all.Next() {
		for _, e := range b.Entries {
			if e.Depth <= 1 {
				want = append(want, e)
			}
		}
	}
	depth, inner := 0, 0
	for b, err := s.Next(); err == nil; b, err = s.Next() {
		for _, e := range b.Entries {
			if int(e.Depth) != depth-int(e.Kind) {
				t.Fatalf("%v at depth %d, with %d open calls", e, e.Depth, depth)
			}
			depth += 1 - 2*int(e.Kind)
			if inner++; e.Depth <= 1 {
				got, inner = append(got, e), inner-1
			}
		}
	}
	if !slices.Equal(got, want) || skipped.Over {
		t.Errorf("%d records, want %d; over %v", len(got), len(want), skipped.Over)
	}
	if inner == 0 || inner > records/4 {
		t.Errorf("%d records below hidden calls", inner)
	}
}
