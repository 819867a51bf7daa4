package perf_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// TestSections reads the sections of all recordings. No section is damaged, and all are known.
func TestSections(t *testing.T) {
	var seen [perf.FeatureLineSize + 1]int
	for _, s := range perftest.All(t) {
		rec, err := open(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range rec.Info().Sections {
			if !x.Feature.Known() || x.Damaged {
				t.Errorf("%s: %+v", s.Name, x)
				continue
			}
			seen[x.Feature]++
		}
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
	for f := perf.FeatureTracing; f <= perf.FeatureLineSize; f++ {
		if seen[f] == 0 {
			t.Errorf("no recording has %v", f)
		}
	}
}

// TestPrograms compares the BPF programs of the header with the records of their symbols.
func TestPrograms(t *testing.T) {
	n := 0
	for _, s := range perftest.All(t) {
		rec, err := open(s)
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		m := rec.Merge(record.Options{})
		for _, e := range m.All() {
			if b := e.Body; e.Event.Kind == perf.Ksymbol && len(rec.Info().BPF.Programs) > 0 {
				name, _, _ := bytes.Cut(b[16:], []byte{0})
				if bytes.HasPrefix(name, []byte("bpf_prog_")) { // not a trampoline
					o := binary.LittleEndian
					want = append(want, fmt.Sprintf("%x %d %s", o.Uint64(b), o.Uint32(b[8:]), name))
				}
			}
		}
		for _, p := range rec.Info().BPF.Programs {
			for _, x := range p.Parts {
				got = append(got, fmt.Sprintf("%x %d %s", x.Address, x.Size, x.Name))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-records +header):\n%s", s.Name, d)
		}
		n += len(got)
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
	if n == 0 {
		t.Error("no programs")
	}
}

// TestFeatureWords reads features above 63, and 4-byte words in the other byte order, as old
// recorders wrote them.
func TestFeatureWords(t *testing.T) {
	file := func(order binary.AppendByteOrder, magic string, words []uint64) []byte {
		b := []byte(magic)
		for _, v := range append([]uint64{104, 144, 104, 0, 104, 8, 0, 0}, words...) {
			b = order.AppendUint64(b, v)
		}
		b = order.AppendUint32(b, 68)
		b = order.AppendUint32(b, map[bool]uint32{true: 8 << 16, false: 8}[order.String() == "LittleEndian"])
		text := order.AppendUint32(nil, 8)
		text = append(text, "a text\x00\x00"...)
		for range 3 {
			b = order.AppendUint64(order.AppendUint64(b, 160), uint64(len(text)))
		}
		return append(b, text...)
	}
	for name, data := range map[string][]byte{
		"little":         file(binary.LittleEndian, "PERFILE2", []uint64{1 << 3, 0, 1 << 1, 1 << 63}),
		"big":            file(binary.BigEndian, "2ELIFREP", []uint64{1 << 3, 0, 1 << 1, 1 << 63}),
		"words of 4":     file(binary.BigEndian, "2ELIFREP", []uint64{1 << 35, 0, 1 << 33, 1 << 31}),
		"as they are":    file(binary.LittleEndian, "PERFILE2", []uint64{1 << 3, 0, 1<<1 | 1<<63, 0}),
		"one is too far": file(binary.LittleEndian, "PERFILE2", []uint64{1 << 3, 0, 3, 1}),
	} {
		rec, err := perf.OpenReaderAt(bytes.NewReader(data), int64(len(data)), name)
		if err != nil {
			t.Fatal(name, err)
		}
		var list []string
		for _, x := range rec.Info().Sections {
			list = append(list, x.Feature.String())
		}
		want := map[string]string{"as they are": "HOSTNAME 129 191", "one is too far": "HOSTNAME 128 129 192"}[name]
		if want == "" {
			want = "HOSTNAME 129 255"
		}
		if got := strings.Join(list, " "); got != want || rec.Info().Host != "a text" {
			t.Errorf("%s: %s, %q", name, got, rec.Info().Host)
		}
		if bad := rec.Damage(); (len(bad) > 0) != (name == "one is too far") {
			t.Errorf("%s: %v", name, bad)
		}
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRelease checks that the descriptions of tracepoints can use the kernel's release, although
// they precede it in files.
func TestRelease(t *testing.T) {
	for _, s := range perftest.All(t) {
		rec, err := open(s)
		if err != nil {
			t.Fatal(err)
		}
		if x := rec.Tracing(); x != nil && !strings.Contains(x.Info().Uname, " "+rec.Info().Release+" ") {
			t.Errorf("%s: %q, not of %q", s.Name, x.Info().Uname, rec.Info().Release)
		}
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
	}
}
