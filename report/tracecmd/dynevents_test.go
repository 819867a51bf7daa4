package tracecmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/dynevents"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
)

// TestDynamicEvents draws user-defined events of every kind and type. Their text, fields and
// filters must agree with the kernel's printers.
func TestDynamicEvents(t *testing.T) {
	for seed, m := range []tracefile.Machine{{Word: 8}, {Word: 4}, {Word: 8, Big: true}, {Word: 4, Big: true}} {
		s := dynevents.NewSource(m, uint64(seed))
		var events []*dynevents.Event
		var records []*dynevents.Record
		for range 80 {
			e := s.Event()
			events = append(events, e)
			for range 6 {
				records = append(records, s.Record(e))
			}
		}
		path := filepath.Join(t.TempDir(), "t.dat")
		if err := os.WriteFile(path, s.File(events, records), 0o666); err != nil {
			t.Fatal(err)
		}
		textsOf(t, path, records)
		fieldsOf(t, path, records)
		for _, e := range events[:10] {
			filtersOf(t, path, e, records)
		}
	}
}

// linesOf runs a report and returns its lines by the number of the record, which is in its time.
func linesOf(t *testing.T, path string, o *report.Options) map[int]string {
	t.Helper()
	var out bytes.Buffer
	job := &report.Job{Job: sources.Job{Path: path, Workers: 1, Warn: func(err error) { t.Error(err) }}, Out: &out}
	if err := run(context.Background(), job, o); err != nil {
		t.Fatal(err)
	}
	lines := map[int]string{}
	for _, part := range strings.Split(out.String(), "\n          worker-42 ")[1:] {
		before, text, _ := strings.Cut(part, ": event")
		_, text, _ = strings.Cut(text, ":")
		at, err := strconv.Atoi(before[strings.LastIndexByte(before, '.')+1:])
		if err != nil {
			t.Fatalf("%q: %v", part, err)
		}
		lines[at] = text
	}
	return lines
}

func textsOf(t *testing.T, path string, records []*dynevents.Record) {
	t.Helper()
	lines := linesOf(t, path, &report.Options{Plain: true})
	for i, r := range records {
		got, want := strings.TrimRight(strings.TrimLeft(lines[i], " "), "\n"),
			strings.TrimRight(strings.TrimLeft(r.Text, " "), "\n")
		if got != want {
			t.Errorf("%s\nprints %q\n  want %q", r.Event.Format, got, want)
			return
		}
	}
}

func fieldsOf(t *testing.T, path string, records []*dynevents.Record) {
	t.Helper()
	rec, err := ftrace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for ev := range r.All() {
		want := records[i]
		i++
		var got []dynevents.Value
		for at := range ev.Type.Fields {
			if f := &ev.Type.Fields[at]; !f.Common {
				v, ok := ev.At(at)
				got = append(got, valueOf(f.Name, v, ok, f.Kind))
			}
		}
		if d := cmp.Diff(want.Values, got); d != "" || !ev.Whole() {
			t.Fatalf("%s: whole: %v (-want +got)\n%s", want.Event.Format, ev.Whole(), d)
		}
	}
	if err := r.Err(); err != nil || i != len(records) {
		t.Errorf("%d of %d events, %v", i, len(records), err)
	}
}

// valueOf converts a field to the form of dynevents.
func valueOf(name string, v tracec.Value, ok bool, kind tracec.Kind) dynevents.Value {
	got := dynevents.Value{Name: name, Missing: !ok, IsText: kind == tracec.Text, IsArray: kind == tracec.List ||
		kind == tracec.Bytes}
	switch kind {
	case tracec.Text:
		got.Text = string(v.Bytes())
	case tracec.List:
		for i := range v.Len() {
			got.Numbers = append(got.Numbers, v.Elem(i).String())
		}
	default:
		got.Numbers = []string{v.String()}
	}
	return got
}

// filtersOf compares each field of an event with a value that one of its records has.
func filtersOf(t *testing.T, path string, e *dynevents.Event, records []*dynevents.Record) {
	t.Helper()
	var own []int
	for i, r := range records {
		if r.Event == e {
			own = append(own, i)
		}
	}
	for at, v := range records[own[0]].Values {
		if v.IsArray || v.Missing || strings.ContainsAny(v.Text, `"`) {
			continue
		}
		value := `"` + v.Text + `"`
		if !v.IsText {
			value = v.Numbers[0]
			if n, err := strconv.ParseUint(value, 10, 64); err == nil && n > 1<<63-1 {
				continue // filters have numbers of 63 bits
			}
		}
		source := e.Name + ": " + grammar.QuoteField(v.Name) + " == " + value
		lines := linesOf(t, path, &report.Options{Options: selection.Options{Filters: []string{source}}})
		for _, i := range own {
			_, got := lines[i]
			if want := cmp.Equal(records[i].Values[at], v); got != want {
				t.Errorf("%s\n%s: %v of %v", e.Format, source, got, records[i].Values[at])
			}
		}
	}
}
