package uftrace_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// word identifies a record.
type word struct {
	Time, Addr uint64
	Kind       uftrace.Kind
}

func words(t *testing.T, r *uftrace.Recording) (list []word) {
	t.Helper()
	each(t, r, func(rec *record.Record, e *uftrace.Entry) { list = append(list, word{rec.Time, e.Addr, e.Kind}) })
	return list
}

// TestWithoutSpecs: no payload has a known length, but every record is found.
func TestWithoutSpecs(t *testing.T) {
	for _, name := range []string{"args-spec", "args-auto", "cpp-auto", "crash", "dlopen", "m32", "v019-octal-f80"} {
		t.Run(name, func(t *testing.T) {
			fs := load(t, name)
			want := words(t, open(t, fs))
			info := fs["info"].Data
			for _, key := range []string{"argspec:", "retspec:", "argauto:", "retauto:", "auto-args:"} {
				info = bytes.ReplaceAll(info, []byte("\n"+key), []byte("\n-"+key))
			}
			fs["info"] = &fstest.MapFile{Data: info}
			r := open(t, fs)
			got := words(t, r)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-with specs +without):\n%s", d)
			}
			more := 0
			each(t, r, func(rec *record.Record, e *uftrace.Entry) {
				if e.More {
					more++
					if e.Kind != uftrace.Event && rec.Data != nil {
						t.Errorf("a payload without specs: %x", rec.Data)
					}
				}
			})
			if stats := r.DamageStats(); stats.Count == 0 || stats.Skipped == 0 {
				t.Errorf("%+v for %d payloads", stats, more)
			}
		})
	}
}

// TestWrongSpecs: a spec that is too long or too short loses records near its function, and does
// not cause invented records.
func TestWrongSpecs(t *testing.T) {
	fs := load(t, "args-spec")
	want := words(t, open(t, fs))
	for _, c := range [][2]string{
		{"i8@arg1/i8", "i8@arg1/t40:x"},
		{"i8@arg1/i8", "i8@arg1/s,arg2/s"},
		{"i64@arg1/i64", "i64@arg1/i64,arg2/i64"},
		{"mixed@arg1/i32,fparg1/64,arg2/s", "mixed@arg1/i32,fparg1/64"},
		{"str@arg1/s", "str@arg1/i32"},
		{"usebig@arg1/t40:big%stack+1", "usebig@arg1/s"},
	} {
		t.Run(c[1], func(t *testing.T) {
			damaged := maps.Clone(fs)
			damaged["info"] = &fstest.MapFile{Data: bytes.ReplaceAll(fs["info"].Data, []byte(c[0]), []byte(c[1]))}
			r := open(t, damaged)
			got := words(t, r)
			for _, w := range got {
				if !slices.Contains(want, w) {
					t.Errorf("a record that is none: %+v", w)
				}
			}
			if len(got) < len(want)-12 || r.DamageStats().Count == 0 {
				t.Errorf("%d of %d records, %+v", len(got), len(want), r.DamageStats())
			}
		})
	}
}

// TestOneBadRecord: only a record without its marker is lost, and the next record reports a loss.
func TestOneBadRecord(t *testing.T) {
	fs := load(t, "abc-full")
	dat := fs["32386.dat"].Data
	want := words(t, open(t, fstest.MapFS{"info": fs["info"], "task.txt": fs["task.txt"],
		"32386.dat": fs["32386.dat"]}))
	fs = fstest.MapFS{"info": fs["info"], "task.txt": fs["task.txt"], "abc.sym": fs["abc.sym"],
		"sid-e3be5f989fe95606.map": fs["sid-e3be5f989fe95606.map"]}
	for i := 0; i < len(dat)/16; i++ {
		bad := slices.Clone(dat)
		bad[16*i+8] ^= 0x28
		fs["32386.dat"] = &fstest.MapFile{Data: bad}
		r := open(t, fs)
		got := words(t, r)
		if d := cmp.Diff(slices.Delete(slices.Clone(want), i, i+1), got); d != "" {
			t.Errorf("without record %d (-want +got):\n%s", i, d)
		}
		at := 0
		each(t, open(t, fs), func(rec *record.Record, e *uftrace.Entry) {
			if at == i != (rec.Lost == record.LostUnknown) {
				t.Errorf("without record %d: %d lost before the one after %d", i, rec.Lost, at)
			}
			at++
		})
		d := r.Damage()
		if len(d) != 1 || d[0].Offset != int64(16*i) || d[0].Skipped != 16 || !errors.Is(d[0], uftrace.ErrCorrupt) ||
			d[0].File != "test/32386.dat" {
			t.Errorf("record %d: %v", i, d)
		}
	}
}

// TestBlocksDoNotMatter: streams of many files have small blocks, and not all files are open at
// once. They yield the same records.
func TestBlocksDoNotMatter(t *testing.T) {
	fs := load(t, "args-spec")
	long := append(slices.Clone(fs["32441.dat"].Data), make([]byte, 16+8*7500)...) // an event with 59,990 bytes
	event := long[len(fs["32441.dat"].Data):]
	copy(event, fs["32441.dat"].Data[:8])
	binary.LittleEndian.PutUint64(event[8:], 100001<<16|5<<3|4|3)
	binary.LittleEndian.PutUint16(event[16:], 59_990)
	fs["32441.dat"] = &fstest.MapFile{Data: long}
	want := payloads(t, open(t, fs))
	tids := "taskinfo:tids="
	list := tids
	for tid := 100_000; tid < 108_000; tid++ {
		list += fmt.Sprint(tid, ",")
		fs[fmt.Sprint(tid, ".dat")] = &fstest.MapFile{}
	}
	fs["info"] = &fstest.MapFile{Data: bytes.Replace(fs["info"].Data, []byte(tids), []byte(list), 1)}
	if n := len(want[len(want)-1]); n != 59_990 {
		t.Errorf("the event has %d bytes", n)
	}
	if d := cmp.Diff(want, payloads(t, open(t, fs))); d != "" {
		t.Error(d)
	}
}

func payloads(t *testing.T, r *uftrace.Recording) (list []string) {
	each(t, r, func(rec *record.Record, e *uftrace.Entry) { list = append(list, string(rec.Data)) })
	return list
}
