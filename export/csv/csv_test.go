package csv_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	export "github.com/tracec/tracec/export/csv"
	"github.com/tracec/tracec/export/ndjson"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

const root = "../.."

// write returns the output of Write, or its beginning.
func write(t *testing.T, rec record.Recording, o export.Options, opts ...tracec.Option) []byte {
	t.Helper()
	var out exporttest.Limited
	r := newReader(t, rec, opts...)
	err := export.Write(&out, r, o)
	if err != nil && !errors.Is(err, exporttest.ErrEnough) && !errors.Is(err, r.Err()) {
		t.Fatal(rec.Name(), err)
	}
	return out.Bytes()
}

func newReader(t *testing.T, rec record.Recording, opts ...tracec.Option) *tracec.Reader {
	t.Helper()
	r, err := tracec.NewReader(rec, append(opts, tracec.WithThreads())...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// cell returns a text as encoding/csv reads it: encoding/csv drops the carriage return of a line
// break even in quotes. NULs are \x00.
func cell[T string | []byte](s T) string {
	text := strings.ReplaceAll(string(columns.AppendValid(nil, s)), "\x00", `\x00`)
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// known returns the text of a number, or "" for a negative one.
func known(v int32) string {
	if v < 0 {
		return ""
	}
	return strconv.Itoa(int(v))
}

// value returns the cell of a value.
func value(v tracec.Value, f *tracec.Field) string {
	switch v.Kind() {
	case tracec.Float:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			return map[bool]string{true: "NaN", false: strings.NewReplacer("+Inf", "Infinity", "-Inf",
				"-Infinity").Replace(fmt.Sprintf("%+v", x))}[math.IsNaN(x)]
		}
		return v.String()
	case tracec.Bytes:
		return hex.EncodeToString(v.Bytes())
	case tracec.List:
		list := []string{}
		for i := range v.Len() {
			list = append(list, part(v.Elem(i), f))
		}
		return "[" + strings.Join(list, ",") + "]"
	case tracec.Struct:
		list := []string{}
		for i := range f.Fields {
			m, text := &f.Fields[i], "null"
			if e, ok := v.At(i); ok {
				text = part(e, m)
			}
			list = append(list, string(columns.AppendJSON(nil, m.Name))+":"+text)
		}
		return "{" + strings.Join(list, ",") + "}"
	}
	return cell(v.Append(nil))
}

// part returns an element or a member in the cell of a value.
func part(v tracec.Value, f *tracec.Field) string {
	if v.Kind() == tracec.Text || v.Kind() == tracec.Bytes {
		return string(columns.AppendJSON(nil, v.Bytes()))
	}
	return value(v, f)
}

// row returns the row of an event.
func row(r *tracec.Reader, ev *tracec.Event) map[string]string {
	m := map[string]string{"time": strconv.FormatUint(ev.Time, 10), "cpu": known(ev.CPU), "task": known(ev.Task),
		"process": known(ev.Process()),
		"comm":    cell(ev.Comm()), "system": cell(ev.Type.System), "event": cell(ev.Type.Name),
		"lost": strconv.FormatInt(ev.Lost, 10)}
	if r.Labels() {
		m["label"] = cell(ev.Type.Label)
	}
	if r.Exits() {
		m["exit"] = strconv.FormatBool(ev.Type.Exit)
	}
	if text, ok := ev.AppendText(nil); ok {
		m["text"] = cell(text)
	}
	for i := range ev.Type.Fields {
		f := &ev.Type.Fields[i]
		v, ok := ev.At(i)
		if !ok || f.Common && (f.Name == "common_type" || f.Name == "common_pid") {
			continue
		}
		name := cell(f.Name)
		for _, taken := range own {
			if strings.EqualFold(name, taken) && (taken != "label" || r.Labels()) && (taken != "exit" || r.Exits()) {
				name = "field_" + name
			}
		}
		m[name] = value(v, f)
		if f.Named && (f.Kind == tracec.Int || f.Kind == tracec.Uint) {
			text, _ := v.AppendName(nil)
			if name = cell(f.Name) + "_name"; ev.Type.Index(f.Name+"_name") >= 0 {
				name += "_2"
			}
			m[name] = cell(text)
		}
	}
	if len(ev.Type.Fields) == 0 && len(ev.Data) > 0 {
		m["data"] = hex.EncodeToString(ev.Data)
	}
	maps.DeleteFunc(m, func(_, cell string) bool { return cell == "" }) // like rowOf
	return m
}

// own are the columns that are not fields.
var own = strings.Fields("time cpu task process comm system event label exit lost text data")

// events returns the names of at most n events of a recording.
func events(t *testing.T, rec record.Recording, n int) []string {
	var names []string
	seen := map[string]bool{}
	count := 0
	for ev := range newReader(t, rec).All() {
		name := ev.Type.System + ":" + ev.Type.Name
		if !seen[name] {
			seen[name] = true
			// Events without a description cannot be selected.
			if _, err := tracec.NewReader(rec, tracec.WithEvents(name)); err == nil {
				names = append(names, name)
			}
		}
		if count++; len(names) == n || count == 5000 {
			break
		}
	}
	return names
}

// TestRoundTrip: encoding/csv reads the same values as package tracec, for all recordings: for all
// events, and for some events alone.
func TestRoundTrip(t *testing.T) {
	for _, path := range exporttest.Recordings(t, root) {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		check(t, path, rec, export.Options{})
		some := 2
		if strings.HasPrefix(path, needs.SharedData(t)) {
			some = 1 // some recordings have many types
		}
		for _, name := range events(t, rec, some) {
			check(t, path+" "+name, rec, export.Options{Fields: export.Single}, tracec.WithEvents(name))
		}
		rec.Close()
	}
}

func check(t *testing.T, name string, rec record.Recording, o export.Options, opts ...tracec.Option) {
	t.Helper()
	o.Text = true
	r := newReader(t, rec, opts...)
	out := write(t, rec, o, opts...)
	c := csv.NewReader(bytes.NewReader(out))
	header, err := c.Read()
	if err != nil {
		t.Fatal(name, err)
	}
	n := 0
	for ev := range r.All() {
		cells, err := c.Read()
		if err != nil {
			if !errors.Is(err, io.EOF) || len(out) < exporttest.Enough {
				t.Errorf("%s: %d events: %v", name, n, err)
			}
			return
		}
		n++
		want := row(r, ev)
		if slices.Contains(header, "fields") && o.Fields != export.Single {
			want = common(want, header)
			cells[slices.Index(header, "fields")] = "" // checked by TestFields
		}
		if got := rowOf(header, cells); !maps.Equal(want, got) {
			t.Errorf("%s: event %d (-dynamic +csv)\n%s", name, n, cmp.Diff(want, got))
			return
		}
	}
	if _, err := c.Read(); err != io.EOF {
		t.Errorf("%s: more than %d events: %v", name, n, err)
	}
}

// rowOf returns the cells that are not empty by the names of their columns.
func rowOf(header, cells []string) map[string]string {
	m := map[string]string{}
	for i, c := range cells {
		if c != "" {
			m[header[i]] = c
		}
	}
	return m
}

// common removes the cells whose columns are not in a header.
func common(m map[string]string, header []string) map[string]string {
	out := map[string]string{}
	for _, name := range header {
		if c, ok := m[name]; ok {
			out[name] = c
		}
	}
	return out
}

// TestFields: the column fields equals the output of package ndjson.
func TestFields(t *testing.T) {
	for _, path := range append(exporttest.Some(t, root), "hostile") {
		var rec record.Recording
		if path == "hostile" {
			rec = exporttest.Hostile(t)
		} else if rec = exporttest.Open(t, path); rec == nil {
			continue
		}
		c := csv.NewReader(bytes.NewReader(write(t, rec, export.Options{Fields: export.Object})))
		d := json.NewDecoder(bytes.NewReader(lines(t, rec)))
		header, err := c.Read()
		if err != nil || !slices.Contains(header, "fields") {
			t.Fatal(path, header, err)
		}
		for {
			cells, err := c.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(path, err)
			}
			var line struct{ Fields json.RawMessage }
			if err := d.Decode(&line); err != nil || cells[slices.Index(header, "fields")] != string(line.Fields) {
				t.Errorf("%s: %q, want %s, %v", path, cells, line.Fields, err)
				break
			}
		}
		rec.Close()
	}
}

func lines(t *testing.T, rec record.Recording) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := ndjson.Write(&b, newReader(t, rec), ndjson.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDamaged: only the damaged part is lost, and the rest equals the events of package tracec.
func TestDamaged(t *testing.T) {
	exporttest.EachDamaged(t, root, func(name string, rec record.Recording) {
		check(t, name, rec, export.Options{})
		check(t, name, rec, export.Options{Fields: export.Single})
	})
}

// TestWorkers: the output does not depend on the number of goroutines.
func TestWorkers(t *testing.T) {
	for _, path := range needs.Some(t, exporttest.Some(t, root), 6) {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		want := write(t, rec, export.Options{Workers: 1, Fields: export.Single})
		for _, workers := range []int{2, 3} {
			got := write(t, rec, export.Options{Workers: workers, Fields: export.Single})
			if !exporttest.Same(got, want) {
				t.Errorf("%s: %d bytes by %d workers, %d by one", path, len(got), workers, len(want))
			}
		}
		rec.Close()
	}
}

// TestHeader: the header depends on the selection, not on the events that occur.
func TestHeader(t *testing.T) {
	rec := exporttest.Open(t, root+"/testdata/ftrace/amd64-syscalls.dat")
	for _, c := range []struct {
		events []string
		until  uint64
		want   string
	}{
		{nil, 0, "time,cpu,task,process,comm,system,event,lost,fields,data"},
		{nil, 1, "time,cpu,task,process,comm,system,event,lost,fields,data"},
		{[]string{"sched_wakeup"}, 0, "time,cpu,task,process,comm,system,event,lost,common_flags,common_preempt_count,field_comm,pid,prio,target_cpu"},
		{[]string{"sched_wakeup"}, 1, "time,cpu,task,process,comm,system,event,lost,common_flags,common_preempt_count,field_comm,pid,prio,target_cpu"},
		{[]string{"sched_wake*"}, 1, "time,cpu,task,process,comm,system,event,lost,fields,data"},
	} {
		out := write(t, rec, export.Options{}, tracec.WithEvents(c.events...),
			tracec.WithRecords(record.Options{Until: c.until}))
		got, rest, _ := strings.Cut(string(out), "\n")
		if got != c.want {
			t.Errorf("%v: %s\nwant %s", c.events, got, c.want)
		}
		if (rest == "") != (c.until != 0) {
			t.Errorf("%v until %d: %d bytes of events", c.events, c.until, len(rest))
		}
	}
}

// TestWriteFails: errors of writers and contexts end the export.
func TestWriteFails(t *testing.T) {
	rec := exporttest.Open(t, root+"/testdata/ftrace/amd64-syscalls.dat")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, workers := range []int{1, 4} {
		r := newReader(t, rec, tracec.WithRecords(record.Options{Context: ctx}))
		if err := export.Write(io.Discard, r, export.Options{Workers: workers}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
			if err := export.Write(full, newReader(t, rec), export.Options{Workers: workers}); err == nil {
				t.Error("a full disk is no error")
			}
			full.Close()
		}
	}
}
