package lttng

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// compactLayout is the layout of x86 kernels of 1.0 (lttng.md 4.2).
var compactLayout = Layout{
	Dialect: V10, WordSize: 4, Alignment: 4, BlockSize: 4096, CPUs: 1, Freq: 1e9, StartTSC: 0x100000123,
	Heartbeat: true, TSCLSB: 8, TSCBits: 21, CompactShift: 25,
}

// TestCompact reads compact events. Their times have only low bits and continue the previous time.
// Their data bits are the first field.
func TestCompact(t *testing.T) {
	for _, big := range []bool{false, true} {
		l := compactLayout
		l.BigEndian = big
		mem := newMemory()
		w, err := NewWriter(mem.create, l)
		if err != nil {
			t.Fatal(err)
		}
		inWord, err := w.Marker("compact", "in_word", "v #b2u%u name %s n %u")
		if err != nil {
			t.Fatal(err)
		}
		bare, err := w.Marker("compact", "bare", " ")
		if err != nil {
			t.Fatal(err)
		}
		plain, err := w.Marker("compact", "plain", "a #1u%u b %u")
		if err != nil {
			t.Fatal(err)
		}
		start := l.StartTSC
		for _, err := range []error{
			w.Event(0, inWord, start+0x100, 0x55, "ab", 0x01020304),
			w.Event(0, bare, start+0x2FF),
			w.Event(0, plain, start+1<<28, 1, 0x01020304), // nearly a wrap
			w.Event(0, bare, start+1<<28+1<<29-0x400),     // a wrap
			w.Event(0, bare, start+1<<40),                 // many wraps: a heartbeat
			w.Close(),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		rec := openMemory(t, mem)
		var have []got
		for _, g := range read(t, rec) {
			if g.Channel == "/compact" {
				have = append(have, got{Marker: g.Marker, TSC: g.TSC - start, Data: g.Data})
			}
		}
		beat := func(tsc uint64) got {
			return got{Marker: ".core_heartbeat_64", TSC: tsc - start, Data: string(w.order.AppendUint64(nil, tsc))}
		}
		number := "\x04\x03\x02\x01"
		word := "\x55\x00"
		if big {
			number, word = "\x01\x02\x03\x04", "\x00\x55"
		}
		want := []got{
			beat(start),
			{Marker: ".in_word", TSC: 0x100, Data: word + "ab\x00" + number},
			{Marker: ".bare", TSC: 0x300, Data: ""},
			{Marker: ".plain", TSC: 1 << 28, Data: "\x01" + number}, // packed although the trace is aligned
			{Marker: ".bare", TSC: 1<<28 + 1<<29 - 0x400},
			beat(start + 1<<40),
			{Marker: ".bare", TSC: 1 << 40},
		}
		if d := cmp.Diff(want, have); d != "" {
			t.Errorf("big-endian %v (-want +have)\n%s", big, d)
		}
		if d := rec.Damage(); len(d) > 0 {
			t.Errorf("damage: %v", d[0])
		}
	}
}

// TestCompactWord is example E of lttng.md 7.
func TestCompactWord(t *testing.T) {
	l := compactLayout
	l.StartTSC = 0x145762 << 8
	mem := newMemory()
	w, err := NewWriter(mem.create, l)
	if err != nil {
		t.Fatal(err)
	}
	m, err := w.Marker("compact", "m", "v #2u%u")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Event(0, m, l.StartTSC, 0); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := mem.files["compact_0"].Data
	at := 112 + 12 // after the heartbeat
	if have, want := string(b[at:at+6]), "\x62\x57\x14\x01\x00\x00"; have != want {
		t.Errorf("% x, want % x", have, want)
	}
}
