package gen_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracec/tracec/runtime/lttng"
)

// known are markers with all kinds of fields. The written values fit into the smaller long.
var known = [][3]string{
	{"kernel", "syscall_entry", "ip #p%ld syscall_id #2u%u"},
	{"kernel", "idle", " "},
	{"kernel", "sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld"},
	{"kernel", "printk", "ip 0x%lX text %s level #1u%u count %lu"},
	{"fs", "open", "fd %d filename %s"},
	{"fs", "rename", "from %s to %s inode %llu mode #2u%u at %ld"},
	{"net", "socket", "port #n2u%hu addr #n4u%lu kind #1x%c name %s seq #n8u%llu"},
	{"net", "twice", "a %d a %u %hd"},
}

// writeTrace writes a trace with the markers of known and with other markers, drawn from a seed, n
// events of each. All layouts get the same values.
func writeTrace(t testing.TB, dir string, l lttng.Layout, seed uint64, drawn, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	list := known
	for i := range drawn {
		list = append(list, [3]string{"drawn", fmt.Sprint("m_", i), drawFormat(rng)})
	}
	for _, m := range writeMarkers(t, dir, l, rng, list, n) {
		t.Fatal(m)
	}
}

// writeMarkers writes a trace of markers (channel, name, format), n events of each. It returns the
// markers that cannot be written.
func writeMarkers(t testing.TB, dir string, l lttng.Layout, rng *rand.Rand, list [][3]string, n int) (refused []error) {
	t.Helper()
	l.BlockSize, l.CPUs, l.Freq, l.StartTSC, l.StartSec = 1<<14, 2, 1e9, 1<<40, 1
	w, err := lttng.NewWriter(lttng.CreateIn(dir), l)
	if err != nil {
		t.Fatal(err)
	}
	var marks []*lttng.Mark
	for _, m := range list {
		mark, err := w.Marker(m[0], m[1], m[2])
		if err != nil {
			refused = append(refused, err)
			continue
		}
		marks = append(marks, mark)
	}
	tsc := l.StartTSC
	for range n {
		for _, m := range marks {
			tsc += 1000
			if err := w.Event(rng.IntN(2), m, tsc, drawEvent(rng, m.Marker)...); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return refused
}

func drawFormat(rng *rand.Rand) string {
	trace := []string{"", "", "#1u", "#1d", "#2u", "#2d", "#4u", "#4d", "#8u", "#8d", "#p", "#n2u", "#n4u", "#n8u",
		"#1x"}
	conv := []string{"%d", "%u", "%ld", "%lu", "%llu", "%lld", "%p", "%zu", "%hd", "%hu", "%c", "%s", "0x%lX", "%tu",
		"%o", "%#x", "%+d"}
	var parts []string
	for i := range rng.IntN(7) {
		name := []string{fmt.Sprint("f", i, " "), "same ", "", "Decode "}[max(0, rng.IntN(12)-8)]
		parts = append(parts, name+trace[rng.IntN(len(trace))]+conv[rng.IntN(len(conv))])
	}
	if len(parts) == 0 {
		return " "
	}
	return strings.Join(parts, " ")
}

// drawEvent draws values that fit any size of a long, so that numbers keep their value in every
// layout.
func drawEvent(rng *rand.Rand, m *lttng.Marker) (values []any) {
	for _, f := range m.Fields {
		v, text := rng.Uint64()>>33, rng.IntN(30)
		switch {
		case f.Size == 0:
			values = append(values, strings.Repeat("ab\"%", 8)[:text])
		case f.Size < 4:
			values = append(values, v%100)
		default:
			values = append(values, v)
		}
	}
	return values
}

// layouts are the layouts of the tests' traces.
var layouts = map[string]lttng.Layout{
	"le64":        {Dialect: lttng.V26, WordSize: 8},
	"le32":        {Dialect: lttng.V26, WordSize: 4},
	"le32aligned": {Dialect: lttng.V23, WordSize: 4, Alignment: 4},
	"be64aligned": {Dialect: lttng.V26, WordSize: 8, Alignment: 8, BigEndian: true},
	"be32natural": {Dialect: lttng.V25, WordSize: 4, Alignment: 4, BigEndian: true},
}
