package lttng

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// dialects are the dialects that a Writer can write, with the seed.
var dialects = []Dialect{V10, V20, V21, V22, V23, V24, V25, V26, Seed}

// drawLayout draws any layout that a Writer accepts.
func drawLayout(t *rapid.T) Layout {
	l := Layout{
		Dialect:   rapid.SampledFrom(dialects).Draw(t, "dialect"),
		BigEndian: rapid.Bool().Draw(t, "big"),
		WordSize:  rapid.SampledFrom([]int{4, 8}).Draw(t, "word"),
		BlockSize: rapid.SampledFrom([]int{4096, 8192}).Draw(t, "block"),
		CPUs:      rapid.IntRange(1, 3).Draw(t, "cpus"),
		Freq:      rapid.Uint64Range(1, 4e9).Draw(t, "freq"),
		Scale:     1,
		StartTSC:  rapid.Uint64Range(0, 1<<50).Draw(t, "start"),
		Heartbeat: rapid.Bool().Draw(t, "heartbeat"),
		Sized:     rapid.Bool().Draw(t, "sized"),
		StartSec:  1, StartUsec: 2,
	}
	if rapid.Bool().Draw(t, "aligned") {
		l.Alignment = l.WordSize
	}
	if l.Heartbeat && rapid.Bool().Draw(t, "compact") {
		l.TSCLSB, l.TSCBits, l.CompactShift = 8, 21, 25
	}
	return l
}

// drawFormat returns a format, and the number of its fields.
func drawFormat(t *rapid.T) string {
	trace := []string{"", "", "#1u", "#1d", "#2u", "#2d", "#4u", "#4d", "#8u", "#p", "#n2u", "#n4u", "#n8u", "#1x"}
	conv := []string{"%d", "%u", "%ld", "%lu", "%llu", "%lld", "%p", "%zu", "%hd", "%hu", "%c", "%s", "%lX", "%tu"}
	var parts []string
	for i := range rapid.IntRange(0, 6).Draw(t, "fields") {
		parts = append(parts, fmt.Sprintf("f%d %s%s", i, rapid.SampledFrom(trace).Draw(t, "trace"),
			rapid.SampledFrom(conv).Draw(t, "conversion")))
	}
	if len(parts) == 0 {
		return " "
	}
	return strings.Join(parts, " ")
}

// drawValues draws values for the fields of a marker, and the bytes that a reader returns for them.
func drawValues(t *rapid.T, m *Marker, l *Layout) (values []any, want []byte) {
	var o binary.AppendByteOrder = binary.LittleEndian
	if l.BigEndian {
		o = binary.BigEndian
	}
	for _, f := range m.Fields {
		for len(want)%f.Align != 0 {
			want = append(want, 0)
		}
		if f.Size == 0 {
			s := rapid.StringMatching(`[a-z%"]{0,12}`).Draw(t, "string")
			if rapid.IntRange(0, 50).Draw(t, "long") == 0 {
				s = strings.Repeat("long ", 300)
			}
			values, want = append(values, s), append(append(want, s...), 0)
			continue
		}
		v := rapid.Uint64().Draw(t, "value")
		values = append(values, v)
		var to = o
		if f.Network {
			to = binary.BigEndian
		}
		switch f.Size {
		case 1:
			want = append(want, byte(v))
		case 2:
			want = to.AppendUint16(want, uint16(v))
		case 4:
			want = to.AppendUint32(want, uint32(v))
		default:
			want = to.AppendUint64(want, v)
		}
	}
	return values, want
}

// TestWriterRoundTrip writes random events and reads them back.
func TestWriterRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLayout(t)
		mem := newMemory()
		w, err := newWriter(mem.create, l)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.announceCore(); err != nil {
			t.Fatal(err)
		}
		var marks []*Mark
		channels := []string{"kernel", "fs"}
		if !l.Dialect.perChannel() {
			channels = []string{"cpu", "control/processes"}
		}
		for i := range rapid.IntRange(1, 40).Draw(t, "markers") {
			m, err := w.Marker(channels[i%2], fmt.Sprintf("m%d", i), drawFormat(t))
			if err != nil {
				t.Fatal(err)
			}
			marks = append(marks, m)
		}
		want := map[string][]got{} // by file
		now := l.StartTSC
		for range rapid.IntRange(0, 60).Draw(t, "events") {
			m := rapid.SampledFrom(marks).Draw(t, "marker")
			cpu := rapid.IntRange(0, l.CPUs-1).Draw(t, "cpu")
			now += rapid.OneOf(rapid.Uint64Range(0, 1000), rapid.Uint64Range(0, 1<<28),
				rapid.Uint64Range(0, 1<<35)).Draw(t, "ticks")
			values, data := drawValues(t, m.Marker, &l)
			if err := w.Event(cpu, m, now, values...); err != nil {
				t.Fatal(err)
			}
			file := fmt.Sprintf("%s_%d", m.channel, cpu)
			want[file] = append(want[file], got{Marker: m.Marker.Channel + "." + m.Marker.Name, TSC: now,
				Data: string(data)})
			if rapid.IntRange(0, 20).Draw(t, "flush") == 0 {
				if err := w.Flush(cpu, m); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var opts []Option
		if l.Dialect == Seed {
			opts = append(opts, WithDialect(Seed))
		}
		rec, err := OpenFS(mem.files, "trace", opts...)
		if err != nil {
			t.Fatal(err)
		}
		have := map[string][]got{}
		for _, g := range read(t, rec) {
			file := fmt.Sprintf("%s_%d", strings.TrimPrefix(g.Channel, "/"), g.CPU)
			if strings.Contains(g.Marker, ".core_") {
				continue
			}
			have[file] = append(have[file], got{Marker: g.Marker, TSC: g.TSC, Data: g.Data})
		}
		if d := cmp.Diff(want, have); d != "" {
			t.Fatalf("%+v (-written +read)\n%s", l, d)
		}
		if d := rec.Damage(); len(d) > 0 {
			t.Fatalf("%+v: damage: %v", l, d[0])
		}
		if i := rec.Traces()[0].Info(); i.StartTSC != l.StartTSC || i.StartSec != 1 || i.StartUsec != 2 ||
			i.WordSize != l.WordSize || i.Alignment != l.Alignment || i.BigEndian != l.BigEndian || i.CPUs != l.CPUs {
			t.Fatalf("%+v of %+v", i, l)
		}
	})
}
