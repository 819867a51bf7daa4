// Package livetest makes growing recordings for tests: trace.dat files as if a kernel were
// recording them.
package livetest

import (
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracewrite"
	"github.com/tracec/tracec/runtime/record"
)

// Open returns the top buffer of a recording as a growing recording. It grows in random steps. Its
// times are the recorded ones.
func Open(t testing.TB, path string, r *rand.Rand) *ftrace.Recording {
	t.Helper()
	rec, err := ftrace.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	f := newFeed(t, rec, r)
	live, err := ftrace.OpenLive(tree(rec), path, f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { live.Close() })
	return live
}

// tree returns the files of tracefs that describe the events of a recording.
func tree(rec *ftrace.Recording) fstest.MapFS {
	info := rec.Info()
	dir := fstest.MapFS{}
	for name, text := range map[string]string{
		"events/header_page": info.HeaderPage, "events/header_event": info.HeaderEvent, "kallsyms": rec.Kallsyms(),
		"printk_formats": rec.PrintkFormats(),
		"saved_cmdlines": rec.Cmdlines(), "trace_clock": "[" + info.TraceClock + "]", "uname": info.Uname,
	} {
		dir[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, f := range rec.Formats() {
		dir["events/"+f.System+"/"+f.Name+"/format"] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	return dir
}

// feed represents a kernel that has recorded everything up to the end of a step.
type feed struct {
	mu    sync.Mutex
	live  record.Live
	cpus  []int
	steps []map[int][]byte // by step: the sub-buffers by processor
	ready map[int][][]byte
	step  time.Time
}

// CPUs implements ftrace.Feed.
func (f *feed) CPUs() []int { return f.cpus }

// Live implements ftrace.Feed.
func (f *feed) Live() *record.Live { return &f.live }

// Next implements ftrace.Feed.
func (f *feed) Next(cpu int) ([]byte, time.Time, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch list := f.ready[cpu]; {
	case len(list) > 0:
		f.ready[cpu] = list[1:]
		return list[0], f.step, nil
	case len(f.steps) == 0:
		return nil, time.Time{}, io.EOF
	}
	return nil, time.Time{}, record.ErrPending
}

// wait moves to the next step.
func (f *feed) wait(d time.Duration) error {
	time.Sleep(d)
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.steps) > 0 {
		for cpu, data := range f.steps[0] {
			f.ready[cpu] = append(f.ready[cpu], data)
		}
		f.steps = f.steps[1:]
		f.step = time.Now()
	}
	return nil
}

// newFeed divides the data of all processors at the same times.
func newFeed(t testing.TB, rec *ftrace.Recording, r *rand.Rand) *feed {
	f := &feed{ready: map[int][][]byte{}}
	f.live.Delay, f.live.Wait = time.Millisecond, f.wait
	b := rec.Buffers()[0]
	info := rec.Info()
	cuts := times(b, r)
	f.steps = make([]map[int][]byte, len(cuts)+1)
	for i := range f.steps {
		f.steps[i] = map[int][]byte{}
	}
	for i, s := range b.Streams(ftrace.StreamOptions{RawTime: true}) {
		cpu, step, latest := b.CPUs[i].ID, 0, uint64(0)
		f.cpus = append(f.cpus, cpu)
		pages := tracewrite.NewPages(info.ByteOrder.(tracewrite.ByteOrder), info.WordSize, b.PageSize,
			func(page []byte) error {
				f.steps[step][cpu] = append(f.steps[step][cpu], page...)
				return nil
			})
		err := record.InStreamOrder([]record.Stream[record.None]{s},
			func(batch []record.Record, _ []record.None) error {
				for _, x := range batch {
					latest = max(latest, x.Time) // later records are recorded later
					at, _ := slices.BinarySearch(cuts, latest)
					if at > step {
						if err := pages.Flush(); err != nil {
							return err
						}
						step = at
					}
					if err := pages.Add(x.Time, x.Lost, x.Data); err != nil {
						return err
					}
				}
				return nil
			})
		if err == nil {
			err = pages.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// times returns random times between the records of a buffer.
func times(b *ftrace.Buffer, r *rand.Rand) []uint64 {
	var all []uint64
	for _, s := range b.Streams(ftrace.StreamOptions{RawTime: true}) {
		for x := range record.Only[record.None](s, 0).All() {
			all = append(all, x.Time)
		}
	}
	var cuts []uint64
	if len(all) > 0 {
		for range r.IntN(30) {
			cuts = append(cuts, all[r.IntN(len(all))])
		}
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}
