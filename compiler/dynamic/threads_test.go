package dynamic_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/therootcompany/xz"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/report/input"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
)

// reportLine is an event in what trace-cmd report prints.
var reportLine = regexp.MustCompile(`^ *(.*)-(\d+) +(?:\( *[-\d]+\) )?\[(\d+)\] `)

// TestCommsOfFtrace: the name of each event's thread is the one that trace-cmd prints.
func TestCommsOfFtrace(t *testing.T) {
	compared, events := 0, 0
	for _, pattern := range []string{"../../testdata/ftrace/*.dat", "../../../shared/data/ftrace/trixie*/*.dat"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			text := strings.TrimSuffix(name, ".dat") + ".report.txt.zst"
			if _, err := os.Stat(text); err != nil {
				continue
			}
			lines := slices.DeleteFunc(saved(t, text), func(s string) bool { return !reportLine.MatchString(s) })
			rec, err := ftrace.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if len(rec.Buffers()) > 1 { // whose lines are one buffer after the other
				rec.Close()
				continue
			}
			n := 0
			r := newReader(t, rec, dynamic.WithThreads())
			for ev := range r.All() {
				if n == len(lines) || n == 10_000 {
					break
				}
				m := reportLine.FindStringSubmatch(lines[n])
				n++
				if cpu, _ := strconv.Atoi(m[3]); int(ev.CPU) != cpu || m[2] != fmt.Sprint(ev.Task) { // trace-cmd leaves out an event
					break
				}
				want := m[1]
				if want == "<...>" {
					want = ""
				}
				if got := ev.Comm(); got != want {
					t.Errorf("%s: event %d is of %q: %s", name, n, got, lines[n-1])
					break
				}
			}
			rec.Close()
			if n == min(len(lines), 10_000) && n > 0 {
				compared++
				events += n
			}
		}
	}
	if compared < 10 || events < 5000 {
		t.Errorf("only %d recordings, %d events", compared, events)
	}
}

// dumpLine is an event in what textDump prints: its time, file, thread, process and the name of that.
var dumpLine = regexp.MustCompile(`^\S+: (\d+)\.(\d{9}) \(.*/[^/]*_(\d+)\), (-?\d+), (-?\d+), (.*?), `)

// TestCommsOfLTTng: threads, processes and their names are those that LTTV prints. Events of one time may be in any order.
func TestCommsOfLTTng(t *testing.T) {
	const data = "../../../shared/data/lttng/"
	for name, formula := range map[string]lttng.Formula{
		"trace-1021events-nolost-1cpu": lttng.OldFormula, "trace-15316events_nolost_newformat": lttng.NewFormula, "trace-2.6": lttng.NewFormula,
	} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(data + "oracle/" + name + ".textdump.txt.xz")
			if err != nil {
				t.Skip("no recorded traces: ", err)
			}
			defer f.Close()
			z, err := xz.NewReader(f, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string][]string{} // threads by time and processor
			for lines := bufio.NewScanner(z); lines.Scan(); {
				if m := dumpLine.FindStringSubmatch(lines.Text()); m != nil {
					key := m[1] + m[2] + " " + m[3]
					want[key] = append(want[key], fmt.Sprintf("%s %s %q", m[4], m[5], m[6]))
				}
			}
			got := map[string][]string{}
			known := 0
			for ev := range newReader(t, openLTTng(t, data+"real/"+name+".tar.gz", formula), dynamic.WithThreads()).All() {
				key := fmt.Sprintf("%d %d", ev.Time, ev.CPU)
				if ev.Process() < 0 {
					got[key] = append(got[key], "")
					continue
				}
				known++
				got[key] = append(got[key], fmt.Sprintf("%d %d %q", ev.Task, ev.Process(), ev.Comm()))
			}
			bad := 0
			for key, list := range got {
				for _, thread := range list {
					if thread != "" && !slices.Contains(want[key], thread) {
						if bad++; bad < 5 {
							t.Errorf("%s: %s, LTTV has %q", key, thread, want[key])
						}
					}
				}
			}
			if known < len(want)*9/10 {
				t.Errorf("%d events, %d with a known thread", len(want), known)
			}
		})
	}
}

func openLTTng(t *testing.T, name string, formula lttng.Formula) *lttng.Recording {
	t.Helper()
	isTrace := func(p *input.Probe) bool { return p.Dir != nil && lttng.IsTrace(p.Dir) }
	in, err := input.Open(context.Background(), name, nil, 0, []input.Kind{{Detect: isTrace}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	rec, err := lttng.OpenFS(in.Dir, name, lttng.WithTime(formula))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}
