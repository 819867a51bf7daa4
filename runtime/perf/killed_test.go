package perf_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// kindsOf counts the records of a recording by type.
func kindsOf(r *perf.Recording) map[string]int {
	kinds := map[string]int{}
	m := r.Merge(record.Options{})
	for _, e := range m.All() {
		kinds[kind(e)]++
	}
	return kinds
}

// TestKilledRecorder reads files that a killed recorder leaves. They lack the size of the records,
// and lack features although the bits of the features are set. All records are read, and damage is
// reported.
func TestKilledRecorder(t *testing.T) {
	n := 0
	for _, s := range perftest.All(t) {
		if len(s.Data) < 104 || s.Data[0] != 'P' || s.Data[8] != 104 {
			continue
		}
		o := binary.LittleEndian
		from, size := o.Uint64(s.Data[40:]), o.Uint64(s.Data[48:])
		whole, err := open(s)
		if err != nil || size == 0 || from+size > uint64(len(s.Data)) {
			t.Fatalf("%s: %v", s.Name, err)
		}
		want := kindsOf(whole)
		for _, to := range []uint64{from + size, from} {
			data := bytes.Clone(s.Data[:to])
			copy(data[48:56], make([]byte, 8))
			r, err := perf.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "killed")
			if err != nil {
				t.Fatal(err)
			}
			if to == from {
				want = map[string]int{}
			}
			got := kindsOf(r)
			for k, n := range want {
				if got[k] != n {
					t.Errorf("%s: %d records %s, want %d", s.Name, got[k], k, n)
				}
			}
			if list := r.Damage(); len(list) == 0 || list[0].Offset != 48 || list[0].File != "killed" ||
				!errors.Is(list[0], perf.ErrTruncated) {
				t.Errorf("%s: damage %v", s.Name, list)
			}
			if len(r.Info().Sections) > 0 {
				t.Errorf("%s: sections %v", s.Name, r.Info().Sections)
			}
			r.Close()
		}
		whole.Close()
		n++
	}
	if n < 20 {
		t.Errorf("%d files", n)
	}
}

// TestEmptyFile reads a whole file with features and without records.
func TestEmptyFile(t *testing.T) {
	o := binary.LittleEndian
	data := append([]byte("PERFILE2"), make([]byte, 96)...)
	o.PutUint64(data[8:], 104)
	o.PutUint64(data[16:], 80)
	o.PutUint64(data[24:], 104)
	o.PutUint64(data[40:], 104)
	data[72] = 1 << perf.FeatureHost
	data = o.AppendUint64(o.AppendUint64(data, 120), 8)
	data = append(data, 4, 0, 0, 0, 'h', 'o', 's', 't')
	r, err := perf.OpenReaderAt(bytes.NewReader(data), int64(len(data)), "empty")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n := len(kindsOf(r)); n > 0 || r.Info().Host != "host" || len(r.Damage()) > 0 {
		t.Errorf("%d kinds of records, host %q, damage %v", n, r.Info().Host, r.Damage())
	}
}
