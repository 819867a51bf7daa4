package ndjson_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/ndjson"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/runtime/record"
)

const root = "../.."

func newReader(t *testing.T, rec record.Recording, opts ...tracec.Option) *tracec.Reader {
	t.Helper()
	r, err := tracec.NewReader(rec, append(opts, tracec.WithThreads())...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// write returns the output of Write, or its beginning.
func write(t *testing.T, rec record.Recording, o ndjson.Options, opts ...tracec.Option) []byte {
	t.Helper()
	var out exporttest.Limited
	r := newReader(t, rec, opts...)
	err := ndjson.Write(&out, r, o)
	if err != nil && !errors.Is(err, exporttest.ErrEnough) && !errors.Is(err, r.Err()) {
		t.Fatal(err)
	}
	return out.Bytes()
}

func valid[T string | []byte](s T) string { return string(columns.AppendValid(nil, s)) }

func number(v int64) json.Number { return json.Number(strconv.FormatInt(v, 10)) }

// known returns a number, or nil for a negative one.
func known(v int32) any {
	if v < 0 {
		return nil
	}
	return number(int64(v))
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return valid(s)
}

// value returns the JSON value of a value.
func value(v tracec.Value, f *tracec.Field) any {
	switch v.Kind() {
	case tracec.Int:
		return number(v.Int())
	case tracec.Uint:
		return json.Number(strconv.FormatUint(v.Uint(), 10))
	case tracec.Float:
		switch x := v.Float(); {
		case math.IsNaN(x):
			return "NaN"
		case math.IsInf(x, 1):
			return "Infinity"
		case math.IsInf(x, -1):
			return "-Infinity"
		default:
			return json.Number(strconv.FormatFloat(x, 'g', -1, 8*f.Size))
		}
	case tracec.Text:
		return valid(v.Bytes())
	case tracec.Bytes:
		return hex.EncodeToString(v.Bytes())
	case tracec.Struct:
		members := map[string]any{}
		for i := range f.Fields {
			m := &f.Fields[i]
			members[m.Name] = nil
			if e, ok := v.At(i); ok {
				members[m.Name] = value(e, m)
			}
		}
		return members
	}
	list := []any{}
	for i := range v.Len() {
		list = append(list, value(v.Elem(i), f))
	}
	return list
}

// object returns the object of an event.
func object(r *tracec.Reader, ev *tracec.Event) map[string]any {
	fields := map[string]any{}
	m := map[string]any{"time": json.Number(strconv.FormatUint(ev.Time, 10)), "cpu": known(ev.CPU),
		"task": known(ev.Task), "process": known(ev.Process()),
		"comm": text(ev.Comm()), "system": text(ev.Type.System), "event": valid(ev.Type.Name), "lost": number(ev.Lost),
		"fields": fields}
	for i, f := range ev.Type.Fields {
		if f.Common && (f.Name == "common_type" || f.Name == "common_pid") {
			continue
		}
		v, ok := ev.At(i)
		named := ""
		if f.Named && (f.Kind == tracec.Int || f.Kind == tracec.Uint) {
			named = valid(f.Name) + "_name"
			if ev.Type.Index(f.Name+"_name") >= 0 {
				named += "_2"
			}
		}
		if !ok {
			fields[valid(f.Name)] = nil
			if named != "" {
				fields[named] = nil
			}
			continue
		}
		fields[valid(f.Name)] = value(v, &f)
		if named != "" {
			name, _ := v.AppendName(nil)
			fields[named] = valid(name)
		}
	}
	if len(ev.Type.Fields) == 0 && len(ev.Data) > 0 {
		m["data"] = hex.EncodeToString(ev.Data)
	}
	if r.Labels() {
		m["label"] = valid(ev.Type.Label)
	}
	if r.Exits() {
		m["exit"] = ev.Type.Exit
	}
	m["text"] = nil
	if b, ok := ev.AppendText(nil); ok {
		m["text"] = valid(b)
	}
	return m
}

// TestRoundTrip: encoding/json reads the same values as package tracec, for all recordings.
func TestRoundTrip(t *testing.T) {
	for _, path := range exporttest.Recordings(t, root) {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		check(t, path, rec)
		rec.Close()
	}
}

func check(t *testing.T, path string, rec record.Recording) {
	t.Helper()
	out := write(t, rec, ndjson.Options{Options: columns.Options{Text: true}})
	d := json.NewDecoder(bytes.NewReader(out))
	d.UseNumber()
	r := newReader(t, rec)
	n := 0
	for ev := range r.All() {
		var got map[string]any
		if err := d.Decode(&got); err != nil {
			if !errors.Is(err, io.EOF) || len(out) < exporttest.Enough {
				t.Errorf("%s: %d events: %v", path, n, err)
			}
			return
		}
		n++
		if want := object(r, ev); !reflect.DeepEqual(want, got) {
			t.Errorf("%s: event %d (-dynamic +ndjson)\n%s", path, n, cmp.Diff(want, got))
			return
		}
	}
	if d.More() {
		t.Errorf("%s: more than %d events", path, n)
	}
	if lines := bytes.Count(out, []byte("\n")); lines != n {
		t.Errorf("%s: %d lines for %d events", path, lines, n)
	}
}

// TestDamaged: only the damaged part is lost, and the rest equals the events of package tracec.
func TestDamaged(t *testing.T) {
	exporttest.EachDamaged(t, root, func(name string, rec record.Recording) {
		check(t, name, rec)
		if !exporttest.Same(write(t, rec, ndjson.Options{Workers: 1}), write(t, rec, ndjson.Options{Workers: 3})) {
			t.Errorf("%s: three workers write other lines than one", name)
		}
	})
}

// TestHostile: names and texts of any bytes, which jq reads as encoding/json does.
func TestHostile(t *testing.T) {
	rec := exporttest.Hostile(t)
	check(t, "hostile", rec)
	ours := write(t, rec, ndjson.Options{Quote64: true, Options: columns.Options{Text: true}})
	if !utf8.Valid(ours) || bytes.Count(ours, []byte("\n")) != strings.Count(string(ours), `{"time":"11529215046`) {
		t.Errorf("%q", ours)
	}
	for _, want := range []string{`"event":"ev\"ent,\\xff"`, `"state":"9223372036854775808"`,
		`"state_name_2":"a,\"b\n"`, `"list":["-9223372036854775808","-1"]`, `"fields":{},"data":"e7030000`} {
		if !bytes.Contains(ours, []byte(want)) {
			t.Errorf("no %s in\n%s", want, ours)
		}
	}
	checkJQ(t, "hostile", ours)
}

// TestWorkers: the output does not depend on the number of goroutines.
func TestWorkers(t *testing.T) {
	for _, path := range exporttest.Some(t, root) {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		want := write(t, rec, ndjson.Options{Workers: 1, Options: columns.Options{Text: true}})
		for _, workers := range []int{2, 3} {
			if got := write(t, rec, ndjson.Options{Workers: workers,
				Options: columns.Options{Text: true}}); !exporttest.Same(got, want) {
				t.Errorf("%s: %d bytes by %d workers, %d by one", path, len(got), workers, len(want))
			}
		}
		rec.Close()
	}
}

// TestWall: wall-clock times, or the reason for not having them.
func TestWall(t *testing.T) {
	known, unknown := 0, 0
	for _, path := range exporttest.Recordings(t, root) {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		m := rec.Machine()
		_, ok := m.WallTime(0)
		o := ndjson.Options{Options: columns.Options{Time: columns.Wall}}
		if !ok {
			unknown++
			if err := ndjson.Write(io.Discard, newReader(t, rec), o); !errors.Is(err, columns.ErrWall) {
				t.Errorf("%s: %v", path, err)
			}
			rec.Close()
			continue
		}
		known++
		d := json.NewDecoder(bytes.NewReader(write(t, rec, o)))
		n := 0
		for ev := range newReader(t, rec).All() {
			want, _ := m.WallTime(ev.Time)
			var got struct{ Time string }
			if err := d.Decode(&got); err != nil || got.Time != want.Format("2006-01-02T15:04:05.000000000Z") {
				t.Errorf("%s: %q, want %v, %v", path, got.Time, want, err)
				break
			}
			if n++; n == 500 {
				break
			}
		}
		rec.Close()
	}
	if known == 0 || unknown == 0 {
		t.Errorf("%d recordings know the wall clock, %d do not", known, unknown)
	}
}

type failing struct{ after int }

func (f *failing) Write(b []byte) (int, error) {
	if f.after--; f.after < 0 {
		return 0, exporttest.ErrEnough
	}
	return len(b), nil
}

// TestWriteFails: errors of writers and contexts end the export, and all its goroutines.
func TestWriteFails(t *testing.T) {
	rec := exporttest.Open(t, root+"/testdata/ftrace/amd64-syscalls.dat")
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 4} {
		err := ndjson.Write(&failing{1}, newReader(t, rec), ndjson.Options{Workers: workers})
		if err != exporttest.ErrEnough {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := newReader(t, rec, tracec.WithRecords(record.Options{Context: ctx}))
		if err := ndjson.Write(io.Discard, r, ndjson.Options{Workers: workers}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
			if err := ndjson.Write(full, newReader(t, rec), ndjson.Options{Workers: workers}); err == nil {
				t.Error("a full disk is no error")
			}
			full.Close()
		}
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}
