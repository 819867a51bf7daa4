// Package runtime_test checks on all available recordings what must hold whatever is in them: times of a stream do not go back, the
// task that is switched out is the one that was switched in, and calls are left that were entered. Nothing of it needs
// the text of another tool.
package runtime_test

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/uftracetest"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// glob returns the recordings that match. Those beside the repository may not be there.
func glob(t *testing.T, patterns ...string) (list []string) {
	t.Helper()
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		t.Skip("no recordings")
	}
	return list
}

// invariants counts what does not hold in one stream.
type invariants struct {
	events, back, switched, unfit int
	last                          uint64
	running                       int64 // the task that was switched to; -1: unknown
}

func (v *invariants) time(now uint64) {
	v.events++
	if now < v.last {
		v.back++
	}
	v.last = now
}

// lose forgets what was before a gap.
func (v *invariants) lose() { v.last, v.running = 0, -1 }

func (v *invariants) swap(prev, next int64) {
	if v.running >= 0 && v.running != prev {
		v.unfit++
	}
	v.running = next
	v.switched++
}

func (v *invariants) check(t *testing.T, stream string) {
	t.Helper()
	if v.back > 0 || v.unfit > 0 {
		t.Errorf("%s: of %d events %d step back in time, of %d switches %d are from another task than the last was to", stream, v.events, v.back, v.switched, v.unfit)
	}
}

// walk yields the records of a stream.
func walk[E any](t *testing.T, s record.Stream[E], fn func(r *record.Record, e *E)) {
	t.Helper()
	for {
		batch, err := s.Next()
		for i := range batch.Records {
			fn(&batch.Records[i], &batch.Entries[i])
		}
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Log(err)
			return
		}
	}
}

// filtered says that a recorder left events out: switches are missing then.
var filtered = regexp.MustCompile(`trace-cmd \S+ .*-[fFP] `)

func TestFtrace(t *testing.T) {
	for _, name := range glob(t, "../testdata/ftrace/*.dat", "../../shared/data/ftrace/*/*.dat", "../../shared/data/ftrace-public/*.dat") {
		if strings.HasPrefix(filepath.Base(name), "made-") { // no kernel recorded it
			continue
		}
		command, _ := os.ReadFile(strings.TrimSuffix(name, ".dat") + ".cmd")
		t.Run(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), func(t *testing.T) {
			rec, err := ftrace.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			var sched *ftrace.Format
			for _, f := range rec.Formats() {
				if f.System == "sched" && f.Name == "sched_switch" && !filtered.Match(command) {
					sched = f
				}
			}
			for _, b := range rec.Buffers() {
				for _, s := range b.Streams(ftrace.StreamOptions{}) {
					v, cpu := invariants{running: -1}, int32(-1)
					walk(t, s, func(r *record.Record, _ *record.None) {
						if cpu = r.CPU; r.Lost != 0 {
							v.lose()
						}
						v.time(r.Time)
						if sched != nil && int(r.ID) == sched.ID {
							prev := number(rec, sched, r, "prev_pid")
							if v.swap(prev, number(rec, sched, r, "next_pid")); prev != int64(r.Task) {
								t.Errorf("task %d switches out task %d", r.Task, prev)
							}
						}
					})
					v.check(t, b.Name+" CPU "+string(rune('0'+cpu)))
				}
			}
		})
	}
}

func number(rec *ftrace.Recording, f *ftrace.Format, r *record.Record, name string) int64 {
	x := f.Field(name)
	if x == nil || x.Offset+4 > len(r.Data) {
		return -1
	}
	return int64(int32(rec.Info().ByteOrder.Uint32(r.Data[x.Offset:])))
}

// TestLTTng: a time steps back where a sub-buffer begins at most, as one recording shows (lttng.md 6).
func TestLTTng(t *testing.T) {
	for _, name := range glob(t, "../../shared/data/lttng/real/*.tar.gz") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			rec, err := lttng.OpenFS(uftracetest.Unpack(t, name), name)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			for _, s := range rec.Streams(record.Options{}) {
				v, blocks := invariants{running: -1}, 0
				lost := uint32(0)
				walk(t, s, func(r *record.Record, e *lttng.Entry) {
					if f := s.File(); f.Blocks != blocks || f.EventsLost != lost {
						blocks = f.Blocks
						v.last = 0
						if f.EventsLost != lost {
							lost = f.EventsLost
							v.lose()
						}
					}
					v.time(r.Time)
					if e.Marker == nil {
						t.Fatalf("%s: an unknown event at %d", s.File().Path, e.Offset)
					}
					if e.Marker.Channel == "kernel" && e.Marker.Name == "sched_schedule" && len(r.Data) >= 8 {
						v.swap(int64(int32(binary.LittleEndian.Uint32(r.Data))), int64(int32(binary.LittleEndian.Uint32(r.Data[4:]))))
					}
				})
				v.check(t, s.File().Path)
			}
		})
	}
}

// TestUftrace: in a thread a call is left at the depth and the address it was entered at, the last one first.
func TestUftrace(t *testing.T) {
	for _, name := range glob(t, "../testdata/uftrace/*/data.tar.gz") {
		t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) {
			files := fstest.MapFS{}
			for path, f := range uftracetest.Unpack(t, name) {
				files[filepath.Base(path)] = f
			}
			rec, err := uftrace.OpenFS(files, name)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			for _, s := range rec.Streams(record.Options{}) {
				v := invariants{running: -1}
				var calls []uint64 // addresses by depth
				wrong, left := 0, 0
				walk(t, s, func(r *record.Record, e *uftrace.Entry) {
					switch e.Kind {
					case uftrace.Lost:
						v.lose()
						calls = nil
						return
					case uftrace.Enter:
						for len(calls) <= int(e.Depth) {
							calls = append(calls, 0)
						}
						calls = calls[:e.Depth+1]
						calls[e.Depth] = e.Addr
					case uftrace.Leave:
						again := e.Sym != nil && strings.HasSuffix(e.Sym.Name, "setjmp") // returns once more after a longjmp
						if left++; !again && int(e.Depth) < len(calls) && calls[e.Depth] != 0 && calls[e.Depth] != e.Addr {
							wrong++
						}
						calls = calls[:min(len(calls), int(e.Depth))]
					}
					v.time(r.Time)
				})
				v.check(t, s.File())
				if wrong > 0 {
					t.Errorf("%s: %d of %d returns are from another function than the last call of that depth", s.File(), wrong, left)
				}
			}
		})
	}
}
