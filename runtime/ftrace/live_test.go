package ftrace_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/livetest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// TestLiveIsTheFile checks that every kind of walk over a growing recording yields the records of
// the file in time order. No record is late.
func TestLiveIsTheFile(t *testing.T) {
	files, err := filepath.Glob("../../testdata/ftrace/*.dat")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	r := rand.New(rand.NewPCG(14, 1))
	checked := 0
	for _, path := range files {
		rec, err := ftrace.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		// a kernel of another machine
		if rec.Info().ByteOrder.Uint16([]byte{1, 0}) != binary.NativeEndian.Uint16([]byte{1, 0}) ||
			rec.Info().RecorderWord != 8 {
			rec.Close()
			continue
		}
		b := rec.Buffers()[0]
		want := all(t, record.Merge(b.Streams(ftrace.StreamOptions{RawTime: true}), nil))
		rec.Close()
		for name, walk := range map[string]func(*ftrace.Recording) []record.Record{
			"merge": func(rec *ftrace.Recording) []record.Record { return all(t, rec.Merge(ftrace.StreamOptions{})) },
			"streams": func(rec *ftrace.Recording) []record.Record {
				return inStreamOrder(t, rec.Streams(ftrace.StreamOptions{}))
			},
			"slices": func(rec *ftrace.Recording) []record.Record {
				return inSlices(t, rec.Slices(ftrace.StreamOptions{}, 0))
			},
			"stream slices": func(rec *ftrace.Recording) []record.Record {
				return inSlices(t, rec.StreamSlices(ftrace.StreamOptions{}, 0))
			},
		} {
			live := livetest.Open(t, path, r)
			got := walk(live)
			if !reflect.DeepEqual(want, got) {
				t.Errorf("%s, %s (-file +live):\n%.2000s", path, name, cmp.Diff(want, got))
			}
			if late := live.Live().Late(); late != 0 && len(backwards(want)) == 0 {
				t.Errorf("%s, %s: %d are late", path, name, late)
			}
			for _, d := range live.Damage() {
				t.Error(d)
			}
			checked++
		}
	}
	if checked == 0 {
		needs.Skip(t, "need a machine with the byte order of the recordings")
	}
}

// backwards returns the records that are earlier than a record before them.
func backwards(list []record.Record) (early []record.Record) {
	for i := 1; i < len(list); i++ {
		if list[i].Time < list[i-1].Time {
			early = append(early, list[i])
		}
	}
	return early
}

func keep(list []record.Record, run []record.Record) []record.Record {
	for _, r := range run {
		r.Data = bytes.Clone(r.Data)
		list = append(list, r)
	}
	return list
}

func all(t *testing.T, m *record.Merger[record.None]) (list []record.Record) {
	t.Helper()
	err := m.EachRun(func(run []record.Record, _ []record.None) error {
		list = keep(list, run)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return list
}

func inStreamOrder(t *testing.T, streams []record.Stream[record.None]) (list []record.Record) {
	t.Helper()
	err := record.InStreamOrder(streams, func(run []record.Record, _ []record.None) error {
		list = keep(list, run)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return list
}

func inSlices(t *testing.T, slices []record.Slice[record.None]) (list []record.Record) {
	t.Helper()
	err := record.InSlices(context.Background(), slices, 4,
		func(_ int, s record.Slice[record.None]) ([]record.Record, error) {
			return all(t, s.Merge()), nil
		}, func(part []record.Record) error {
			list = append(list, part...)
			return nil
		})
	if err != nil {
		t.Error(err)
	}
	return list
}
