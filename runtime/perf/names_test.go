package perf

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tracec/tracec/runtime/record"
)

// TestShortRecords: a record that is too short for the names in it is damage, also in a walk
// without names.
func TestShortRecords(t *testing.T) {
	for kind, size := range map[Kind]int{Comm: 8, Fork: 24 - 8, Mmap: 32, Mmap2: 64, Ksymbol: 16, BuildID: 24} {
		trailer := []any{pair(1, 1), 7}
		if kind == BuildID {
			trailer = nil
		}
		whole, short := make([]any, size/8), make([]any, size/8)
		for i := range short {
			whole[i], short[i] = 1, 1
		}
		if kind == Fork {
			whole = append(whole, 1)
		} else {
			whole = append(whole, "name")
		}
		head := madePipe(madeAttr(HasTID|HasTime, uint64(SampleIDAll)),
			madeRecord(kind, 2, append(whole, trailer...)...))
		r := openMade(t, append(head, madeRecord(kind, 2, append(short, trailer...)...)...))
		n := 0
		m := r.Merge(record.Options{})
		for range m.All() {
			n++
		}
		list := r.Damage()
		if len(list) != 1 || !errors.Is(list[0], ErrCorrupt) || list[0].Offset != int64(len(head)) ||
			!strings.Contains(list[0].Error(), kind.String()) || n < 2 {
			t.Errorf("%v: %d records, damage %v", kind, n, list)
		}
	}
}

// TestNamesBounded: names, processes and mappings count against the memory of the recording.
// Anything that does not fit is damage at the place of its record. Threads that already have a name
// can be renamed.
func TestNamesBounded(t *testing.T) {
	long := strings.Repeat("x", 60000)
	for name, part := range map[string]func(i int) []byte{
		"names": func(i int) []byte { return madeRecord(Comm, 0, pair(i, i), long, pair(i, i), i) },
		"threads": func(i int) []byte {
			return madeRecord(Fork, 0, pair(1, 1), pair(i, 1), i, pair(i, i), i)
		},
		"processes": func(i int) []byte { return madeRecord(SampleKind, 0, pair(i, i), i) },
		"mappings": func(i int) []byte {
			return madeRecord(Mmap, 0, pair(1, 1), i<<12, 1<<12, 0, "/lib", pair(1, 1), i)
		},
	} {
		t.Run(name, func(t *testing.T) {
			records := [][]byte{madeRecord(Comm, 0, pair(1, 1), "sh", pair(1, 1), 0), roundEnd}
			for i := range 150000 {
				records = append(records, part(i+2))
				if i%100 == 0 || name == "names" {
					records = append(records, roundEnd)
				}
				if i == 200 && name == "names" {
					break
				}
			}
			const last = 1 << 20
			renamed := madeRecord(Comm, 0, pair(1, 1), "bash", pair(1, 1), last)
			records = append(records, roundEnd, renamed, sampled(last+1))
			data := madePipe(madeAttr(HasTID|HasTime, uint64(SampleIDAll)), records...)
			r, err := OpenReaderAt(bytes.NewReader(data), int64(len(data)), "made", WithMemory(record.MinMemory))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			names, before := r.Names(), r.memory.Left()
			m := r.Merge(record.Options{})
			for x, e := range m.All() {
				names.Follow(x, e)
			}
			if got := names.threads[1].comm; got != "bash" {
				t.Errorf("thread 1 is %q", got)
			}
			list := r.Damage()
			if len(list) != 1 || !errors.Is(list[0], ErrLimit) || list[0].File != "made" || list[0].Offset == 0 ||
				!strings.Contains(list[0].Error(), "--memory") {
				t.Errorf("%d places of damage", len(list))
				for _, d := range list[:min(len(list), 3)] {
					t.Error(d)
				}
			}
			names.Close()
			if left := r.memory.Left(); before-left > 1<<20 { // modules stay
				t.Errorf("%d of %d bytes came back", left, before)
			}
		})
	}
}
