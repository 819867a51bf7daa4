package tracec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// appendAll appends the results of all methods of an event.
func appendAll(dst []byte, ev *tracec.Event) ([]byte, error) {
	dst, _ = ev.AppendText(append(appendFields(dst, ev), ' '))
	return append(dst, '\n'), nil
}

// appendFields is appendAll without the text.
func appendFields(dst []byte, ev *tracec.Event) []byte {
	dst = fmt.Appendf(dst, "%d %d %d %d %d %d %s:%s %s %v %x", ev.Time, ev.CPU, ev.Task, ev.ID, ev.Stream, ev.Lost,
		ev.Type.System, ev.Type.Name, ev.Type.Label, ev.Type.Exit, ev.Data)
	for f, v := range ev.Fields() {
		dst = v.Append(append(append(append(dst, ' '), f.Name...), '='))
		dst, _ = v.AppendName(dst)
	}
	dst = fmt.Appendf(dst, " %s %d", ev.Comm(), ev.Process())
	if f, ok := ev.Field("ip"); ok {
		symbol, offset, _ := ev.Symbol(f.Uint())
		dst = fmt.Appendf(dst, " %s+%d", symbol, offset)
	}
	return dst
}

// testRecordings are recordings of every kind.
func testRecordings(t *testing.T) []string {
	var all []string
	for _, pattern := range []string{"ftrace/*.dat", "ftrace/*.tar.zst", "aix/*.trc", "uftrace/*/data.tar.gz",
		"lttng/*/*.tar.xz"} {
		names, err := filepath.Glob("testdata/" + pattern)
		if err != nil || len(names) == 0 {
			t.Fatal("nothing like ", pattern, err)
		}
		all = append(all, names...)
	}
	return all
}

// openMany opens a recording of two processors that fills many blocks: with short events, and with
// some long ones.
func openMany(t *testing.T) *ftrace.Recording {
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096, CPUs: 2, Ftrace: []string{tracefile.Format("print", 5)},
		Systems: []tracefile.System{{Name: "sched",
			Formats: []string{tracefile.Format("switch", 301), tracefile.Format("wakeup", 302)}}}}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]"}}
	for cpu := range 2 {
		var pages []byte
		for n := range 240 {
			page := m.NewPage(4096, uint64(1000_000+n*5000+cpu*2000))
			for i := range 100 {
				if n >= 140 && i == 30 {
					page.Long(7, m.Payload(302, 8, make([]uint32, 600)...))
					break
				}
				page.Event(uint32(10+i%3), m.Payload(301, int32(cpu+7), uint32(n*100+i)))
			}
			pages = append(pages, page.Done()...)
		}
		f.Buffers[0].CPUs = append(f.Buffers[0].CPUs, tracefile.CPU{ID: cpu, Pages: pages})
	}
	b := f.Bytes()
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "many")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestRender: the output does not depend on the number of workers, and equals the events of All.
func TestRender(t *testing.T) {
	for _, name := range append(needs.Some(t, testRecordings(t), 6), "many") {
		var rec record.Recording
		if name != "many" {
			rec = openAny(t, name)
		} else {
			rec = openMany(t)
		}
		var want []byte
		r := newReader(t, rec, tracec.WithThreads())
		for ev := range r.All() {
			want, _ = appendAll(want, ev)
		}
		if r.Err() != nil {
			t.Fatal(name, r.Err())
		}
		for _, workers := range []int{0, 1, 2, 5} {
			var got []byte
			r, err := tracec.NewReader(rec, tracec.WithThreads())
			if err != nil {
				t.Fatal(err)
			}
			err = r.Render(workers, func() func([]byte, *tracec.Event) ([]byte, error) { return appendAll },
				func(block []byte) error {
					got = append(got, block...)
					return nil
				})
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes by %d workers, want %d, %v", name, len(got), workers, len(want), err)
			}
			testAllWith(t, rec, name, workers)
		}
	}
}

// testAllWith checks that AllWith yields each event with the bytes that a goroutine appended for
// it.
func testAllWith(t *testing.T, rec record.Recording, name string, workers int) {
	r := newReader(t, rec, tracec.WithThreads())
	events := 0
	for ev, said := range r.AllWith(workers, func() func([]byte, *tracec.Event) []byte { return appendFields }) {
		if events++; !bytes.Equal(appendFields(nil, ev), said) {
			t.Errorf("%s, %d workers, event %d: %q, want %q", name, workers, events, said, appendFields(nil, ev))
			break
		}
	}
	want := newReader(t, rec)
	for range want.All() {
		events--
	}
	if r.Err() != nil || events != 0 {
		t.Errorf("%s, %d workers: %d events too many, %v", name, workers, events, r.Err())
	}
}

// block describes a block of TestOrdered.
type block struct {
	first, last uint64
	events      int
}

// TestOrdered: blocks are the same for every number of workers, also if work does not read them to
// their end.
func TestOrdered(t *testing.T) {
	rec := openMany(t)
	var want []block
	for _, workers := range []int{1, 2, 4} {
		var got []block
		r := newReader(t, rec)
		busy := make([]bool, workers)
		err := tracec.Ordered(r, workers, func(worker int, events iter.Seq[*tracec.Event], b *block) (*block, error) {
			if busy[worker] {
				t.Error("a worker on two blocks")
			}
			busy[worker] = true
			defer func() { busy[worker] = false }()
			if b == nil {
				b = new(block)
			}
			*b = block{}
			for ev := range events {
				if b.events++; b.first == 0 {
					b.first = ev.Time
				}
				if b.last = ev.Time; b.events == 4000 {
					break
				}
			}
			return b, nil
		}, func(b *block) error {
			got = append(got, *b)
			return nil
		})
		if err != nil || len(got) < 3 {
			t.Fatal(len(got), "blocks,", err)
		}
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: %v\nwant %v", workers, got, want)
		}
	}
}

var errTest = errors.New("for a test")

// TestRenderEnds: errors and contexts end all goroutines.
func TestRenderEnds(t *testing.T) {
	rec := openMany(t)
	before := runtime.NumGoroutine()
	for _, workers := range needs.Some(t, []int{4, 1, 2}, 1) {
		for _, after := range []int{0, 1, 5000} {
			n := 0
			appender := func() func([]byte, *tracec.Event) ([]byte, error) {
				n := 0
				return func(dst []byte, ev *tracec.Event) ([]byte, error) {
					if n++; n > after {
						return dst, errTest
					}
					return append(dst, ev.Type.Name...), nil
				}
			}
			if err := newReader(t, rec).Render(workers, appender, func([]byte) error { return nil }); err != errTest {
				t.Errorf("%d workers, appender fails after %d: %v", workers, after, err)
			}
			plain := func() func([]byte, *tracec.Event) ([]byte, error) { return appendAll }
			err := newReader(t, rec).Render(workers, plain, func([]byte) error {
				if n++; n > after/4000 {
					return errTest
				}
				return nil
			})
			if err != errTest {
				t.Errorf("%d workers, out fails after %d: %v", workers, after, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			n = 0
			err = newReader(t, rec, tracec.WithRecords(record.Options{Context: ctx})).Render(workers, plain,
				func([]byte) error {
					if n++; n > after/4000 {
						cancel()
					}
					return nil
				})
			if cancel(); !errors.Is(err, context.Canceled) || n > after/4000+1 {
				t.Errorf("%d workers, canceled after %d: %v, %d blocks", workers, after, err, n)
			}
			testAllWithEnds(t, rec, workers, after)
		}
	}
	for i := 0; runtime.NumGoroutine() > before; i++ {
		if i == 100 {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// testAllWithEnds checks that a loop and a context can end AllWith.
func testAllWithEnds(t *testing.T, rec record.Recording, workers, after int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := newReader(t, rec, tracec.WithRecords(record.Options{Context: ctx}))
	say := func() func([]byte, *tracec.Event) []byte { return appendFields }
	n := 0
	for range r.AllWith(workers, say) {
		if n++; n > after {
			break
		}
	}
	if n != after+1 || r.Err() != nil {
		t.Errorf("%d workers, break after %d events: %d, %v", workers, after, n, r.Err())
	}
	for range r.AllWith(workers, say) {
		cancel()
	}
	if !errors.Is(r.Err(), context.Canceled) {
		t.Errorf("%d workers, canceled: %v", workers, r.Err())
	}
}
