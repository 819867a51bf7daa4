package ndjson_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/export/ndjson"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/runtime/record"
)

// TestFilter: a filtered export equals the lines of the whole export with fields that pass, as
// encoding/json reads them.
func TestFilter(t *testing.T) {
	number := func(fields map[string]any, name string) float64 {
		v, ok := fields[name].(float64)
		if !ok {
			return 1e300 // a number for which all conditions are false
		}
		return v
	}
	for _, c := range []struct {
		path, filter string
		passes       func(event string, fields map[string]any) bool
	}{
		{"ftrace/amd64-instances.dat", `sched_switch: prev_pid < 100 && next_comm ~ "[a-m]*"`,
			func(event string, f map[string]any) bool {
				comm, _ := f["next_comm"].(string)
				return event == "sched_switch" && number(f, "prev_pid") < 100 && comm != "" && comm[0] >= 'a' &&
					comm[0] <= 'm'
			}},
		{"aix/shop64.trc", "WORKER|ORDER: thread < 100000 || number <= 7002",
			func(event string, f map[string]any) bool {
				return event == "027" && number(f, "thread") < 100000 || event == "020" && number(f, "number") <= 7002
			}},
		{"uftrace/args-spec/data.tar.gz", ".*: arg1 <= 127 || retval <= 0", func(_ string, f map[string]any) bool {
			return number(f, "arg1") <= 127 || number(f, "retval") <= 0
		}},
		{"lttng/realwriter/ust26-le64-packed.tar.xz", `core_marker_id: event_id < 3 && channel == "metadata"`,
			func(event string, f map[string]any) bool {
				return event == "core_marker_id" && number(f, "event_id") < 3 && f["channel"] == "metadata"
			}},
	} {
		rec := exporttest.Open(t, root+"/testdata/"+c.path)
		if rec == nil {
			t.Fatal(c.path)
		}
		var opts []tracec.Option
		if strings.HasPrefix(c.path, "aix") {
			opts = append(opts, tracec.WithHooks(shop(t)))
		}
		want, n := "", 0
		for line := range strings.Lines(written(t, rec, opts)) {
			var ev struct {
				Event  string
				Fields map[string]any
			}
			if err := json.Unmarshal([]byte(line), &ev); err != nil {
				t.Fatal(err)
			}
			if c.passes(ev.Event, ev.Fields) {
				want += line
				n++
			}
		}
		got := written(t, rec, append(opts, tracec.WithFilter(c.filter)))
		if d := cmp.Diff(want, got); d != "" || n == 0 {
			t.Errorf("%s: %d lines, (-want +got):\n%.2000s", c.path, n, d)
		}
		rec.Close()
	}
}

func written(t *testing.T, rec record.Recording, opts []tracec.Option) string {
	t.Helper()
	r, err := tracec.NewReader(rec, append(opts, tracec.WithThreads())...)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := ndjson.Write(&out, r, ndjson.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func shop(t *testing.T) *trcfmt.Result {
	t.Helper()
	text, err := os.ReadFile(root + "/testdata/aix/shop.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	file, errs := grammar.Parse("shop.trcfmt", text)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	templates, _ := trcfmt.Compile("shop.trcfmt", trcfmt.Options{}, file)
	return templates
}
