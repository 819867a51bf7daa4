package perf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/runtime/record"
)

// sampled returns samples with these times.
func sampled(times ...int) (b []byte) {
	for _, time := range times {
		b = append(b, madeRecord(SampleKind, 0, pair(7, 7), time)...)
	}
	return b
}

var roundEnd = madeRecord(FinishedRound, 0)

// TestPipeAsItComes: records arrive when the next round ends, while the recorder continues.
func TestPipeAsItComes(t *testing.T) {
	in, out := io.Pipe()
	opened := make(chan *Recording)
	go func() {
		r, err := OpenReader(in, "pipe")
		if err != nil {
			t.Error(err)
		}
		opened <- r
	}()
	write := func(parts ...[]byte) {
		for _, b := range parts {
			for len(b) > 0 { // in pieces that are not whole records
				n := min(len(b), 5)
				if _, err := out.Write(b[:n]); err != nil {
					t.Error(err)
				}
				b = b[n:]
			}
		}
	}
	write(madePipe(madeAttr(HasTID|HasTime, uint64(SampleIDAll)), append(madeRecord(TracingData, 0, 12),
		make([]byte, 16)...)), sampled(10))
	r := <-opened
	if r == nil {
		t.FailNow()
	}
	defer r.Close()
	m := r.Merge(record.Options{})
	defer m.Close()
	var got []uint64
	next := func(n int) {
		for len(got) < n {
			list, entries, err := m.NextRun()
			if err != nil {
				t.Fatal(err)
			}
			for i := range list {
				if entries[i].Event.Attr != nil {
					got = append(got, list[i].Time)
				}
			}
		}
	}
	write(sampled(5), roundEnd, sampled(20, 15), roundEnd)
	next(2)
	write(sampled(30), roundEnd)
	next(4)
	write(sampled(25)[:20])
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	next(5)
	if _, _, err := m.NextRun(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if d := cmp.Diff([]uint64{5, 10, 15, 20, 30}, got); d != "" {
		t.Error(d)
	}
	list := r.Damage()
	if len(list) != 2 || !errors.Is(list[1], ErrTruncated) || list[1].Skipped != 20 {
		t.Errorf("damage %v, want that of the tracing data and of the last record", list)
	}
}

// seenIn returns the records of a recording.
func seenIn(r *Recording) (list []string) {
	each(r, func(x *record.Record, e *Entry, _ record.Thread) {
		list = append(list, fmt.Sprintf("%s at %d: %d %q", e.Event.Name, e.Offset, x.Time, e.Body))
	})
	return list
}

// TestPipesAreFiles reads the output of perf record -o - through a pipe, from a growing file and
// from a whole one. Records and damage are the same. It can be read twice.
func TestPipesAreFiles(t *testing.T) {
	n := 0
	for _, s := range perftest.All(t) {
		if !isPipe(s.Data) || len(s.Data) > 1<<20 {
			continue
		}
		n++
		want := openMade(t, s.Data)
		list := seenIn(want)
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, s.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		until, end := context.WithCancel(t.Context())
		end()
		piped, err := OpenReader(bytes.NewReader(s.Data), "made")
		grown, err2 := OpenFollowed(folder.Open(filepath.Dir(path)), "file", "made", record.Follow{Until: until})
		if err = errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		for _, r := range []*Recording{piped, grown} {
			for again := range 2 {
				if got := seenIn(r); !slices.Equal(list, got) {
					t.Fatalf("%s: %d other records than the %d of the file", s.Name, len(got), len(list))
				}
				if n := r.DamageStats(); again == 0 && n != want.DamageStats() {
					t.Errorf("%s: damage %+v, want %+v", s.Name, n, want.DamageStats())
				}
			}
			if d := cmp.Diff(want.Info().Sections, r.Info().Sections); d != "" {
				t.Errorf("%s: %s", s.Name, d)
			}
			r.Close()
		}
	}
	if n < 4 {
		t.Errorf("%d pipes", n)
	}
}

// TestFollowFile follows a file that grows byte by byte.
func TestFollowFile(t *testing.T) {
	data := append(madePipe(madeAttr(HasTID|HasTime, uint64(SampleIDAll))), sampled(10, 5)...)
	data = append(append(data, roundEnd...), sampled(7, 20)...)
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	until, end := context.WithCancel(t.Context())
	go func() {
		for _, b := range data {
			if _, err := f.Write([]byte{b}); err != nil {
				t.Error(err)
			}
		}
		f.Close()
		end()
	}()
	r, err := OpenFollowed(folder.Open(dir), "file", "file", record.Follow{Until: until, Poll: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var times []uint64
	each(r, func(x *record.Record, e *Entry, _ record.Thread) {
		if e.Event.Attr != nil {
			times = append(times, x.Time)
		}
	})
	if d := cmp.Diff([]uint64{5, 7, 10, 20}, times); d != "" || len(r.Damage()) > 0 {
		t.Errorf("%s, damage %v", d, r.Damage())
	}
}

// TestFollowWhole: a perf.data that is not a pipe is read after its recorder has ended.
func TestFollowWhole(t *testing.T) {
	for _, s := range perftest.Samples(t, perftest.Groups[0]) {
		if s.Data == nil || isPipe(s.Data) {
			continue
		}
		dir := t.TempDir()
		for _, ended := range []bool{true, false} {
			data := bytes.Clone(s.Data)
			if !ended {
				copy(data[dataSizeAt:], make([]byte, 8))
			}
			if err := os.WriteFile(filepath.Join(dir, "file"), data, 0o666); err != nil {
				t.Fatal(err)
			}
			r, err := OpenFollowed(folder.Open(dir), "file", "file", record.Follow{})
			if !ended {
				if d := new(Damage); !errors.As(err, &d) || d.Offset != dataSizeAt || !errors.Is(err, ErrUnsupported) {
					t.Error(err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, want := len(seenIn(r)), len(seenIn(openMade(t, s.Data))); got != want {
				t.Errorf("%d records, want %d", got, want)
			}
			r.Close()
		}
		return
	}
}
