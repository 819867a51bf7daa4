package tracec_test

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

func newReader(t *testing.T, rec record.Recording, opts ...tracec.Option) *tracec.Reader {
	t.Helper()
	t.Cleanup(func() { rec.Close() })
	r, err := tracec.NewReader(rec, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func openFtrace(t *testing.T, name string) *ftrace.Recording {
	t.Helper()
	rec, err := ftrace.Open("testdata/ftrace/" + name + ".dat")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// saved reads the lines of a reference tool's text.
func saved(t *testing.T, name string) []string {
	t.Helper()
	packed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
}

var (
	rawLine = regexp.MustCompile(`^ *.+-\d+ +\[(\d+)\] +\d+\.\d+: (\w+): +(.*)$`)
	rawPair = regexp.MustCompile(`(\w+)=([^ ]*)`)
)

// TestRawFields compares fields with the output of trace-cmd report -R. It compares every event,
// and the value of every field that is a number or a word.
func TestRawFields(t *testing.T) {
	for name, least := range map[string]int{"amd64-extract": 3000, "amd64-triggers": 100, "i386-userstack": 100} {
		t.Run(name, func(t *testing.T) {
			lines := saved(t, "testdata/ftrace/"+name+".report-R.txt.zst")
			lines = slices.DeleteFunc(lines, func(s string) bool { return !rawLine.MatchString(s) })
			n, compared := 0, 0
			for ev := range newReader(t, openFtrace(t, name)).All() {
				if n == len(lines) {
					t.Fatalf("more than %d events", n)
				}
				m := rawLine.FindStringSubmatch(lines[n])
				n++
				if cpu, _ := strconv.Atoi(m[1]); ev.Type.Name != m[2] || int(ev.CPU) != cpu {
					t.Fatalf("event %d is %s of CPU %d: %s", n, ev.Type.Name, ev.CPU, lines[n-1])
				}
				for _, pair := range rawPair.FindAllStringSubmatch(m[3], -1) {
					if v, ok := ev.Field(pair[1]); ok &&
						!sameValue(v, pair[2], ev.Type.Fields[ev.Type.Index(pair[1])].Size, &compared) {
						t.Errorf("%s.%s is %v: %s", ev.Type.Name, pair[1], v, lines[n-1])
					}
				}
			}
			if n != len(lines) || compared < least {
				t.Errorf("%d events of %d, %d values compared", n, len(lines), compared)
			}
		})
	}
}

// sameValue compares v, of size bytes, with its text in raw output, which may widen it. It does not
// compare values that raw output prints in another form, such as symbols.
func sameValue(v tracec.Value, text string, size int, compared *int) bool {
	switch v.Kind() {
	case tracec.Int, tracec.Uint:
		if n, err := strconv.ParseInt(text, 0, 64); err == nil {
			*compared++
			return v.Int() == n || size == 4 && v.Int() == int64(int32(n))
		}
		if n, err := strconv.ParseUint(text, 0, 64); err == nil {
			*compared++
			return v.Uint() == n
		}
	case tracec.Text:
		*compared++
		return strings.HasPrefix(string(v.Bytes()), text)
	}
	return true
}

// Names of values come from the same table as in the text.
func TestNames(t *testing.T) {
	found := 0
	for ev := range newReader(t, openFtrace(t, "amd64-extract")).All() {
		for f, v := range ev.Fields() {
			name, ok := v.AppendName(nil)
			if !ok {
				continue
			}
			found++
			text, _ := ev.AppendText(nil)
			if !bytes.Contains(text, name) {
				t.Fatalf("%s.%s is %q, which is not in %q", ev.Type.Name, f.Name, name, text)
			}
		}
	}
	if found == 0 {
		t.Error("no value with a name")
	}
}

// A name has everything that the text prints for a value: "prev_state=%s%s" prints "R" and "+".
func TestNameOfTwoConversions(t *testing.T) {
	for typ := range newReader(t, openFtrace(t, "amd64-extract"), tracec.WithEvents("sched_switch")).Types() {
		field := typ.Fields[typ.Index("prev_state")]
		for state, want := range map[uint64]string{0: "R", 1: "S", 2: "D", 256: "R+", 258: "D+", 3: "S|D"} {
			if name, _ := field.AppendName(nil, state); string(name) != want {
				t.Errorf("state %d is %q, want %q", state, name, want)
			}
		}
		return
	}
	t.Error("no sched_switch")
}

// TestTemplates compares events of AIX with the written events (testdata/aix/write.go).
func TestTemplates(t *testing.T) {
	text, err := os.ReadFile("testdata/aix/shop.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	file, errs := grammar.Parse("shop.trcfmt", text)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	templates, _ := trcfmt.Compile("shop.trcfmt", trcfmt.Options{}, file)
	rec, err := aix.Open("testdata/aix/shop64.trc")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/aix/shop64.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ev := range newReader(t, rec, tracec.WithHooks(templates)).All() {
		if ev.Type.Label != "WORKER" {
			continue
		}
		n++
		line := "WORKER"
		for f, v := range ev.Fields() {
			line += " " + f.Name + " " + v.String()
		}
		if !strings.Contains(string(want), line) {
			t.Errorf("%q is not in the report", line)
		}
	}
	if n != 5 {
		t.Errorf("%d workers", n)
	}
}

// TestArguments: the text of a call equals the text between the parentheses of a line of uftrace
// replay.
func TestArguments(t *testing.T) {
	want := uftracetest.Outputs(t, "args-auto")["0.13/replay.txt"]
	texts := 0
	r := newReader(t, uftracetest.Open(t, uftracetest.Files(t, "args-auto")))
	for ev := range r.All() {
		text, ok := ev.AppendText(nil)
		if !ok || len(text) == 0 || ev.Type.Exit {
			continue
		}
		texts++
		if !strings.Contains(want, "("+string(text)+")") {
			t.Errorf("%s(%s) is not in the report", ev.Type.Label, text)
		}
	}
	if r.Err() != nil || texts < 5 {
		t.Errorf("%d texts, error %v", texts, r.Err())
	}
}
