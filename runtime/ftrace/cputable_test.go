package ftrace_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// countPlace returns the offset of the number of processors in a version 6 file: before the tag of
// the options.
func countPlace(b []byte) int { return bytes.Index(b, []byte("options  \x00")) - 4 }

var wrongCounts = []uint32{0, 1, 2, 4, 5, 100, 1 << 16, 1<<16 + 1, 1 << 31, 1<<32 - 1}

// A wrong number of processors loses no data, because the table has the right number.
func TestWrongNumberOfCPUs(t *testing.T) {
	for _, m := range machines {
		for _, clock := range []string{"", "local [global] mono"} {
			f := fill(tracefile.File{Machine: m, Version: 6})
			for i := range f.Buffers {
				f.Buffers[i].Clock = clock
			}
			b := f.Bytes()
			want := walkCopy(openBytes(t, b))
			for _, n := range wrongCounts {
				b := bytes.Clone(b)
				m.Order().AppendUint32(b[:countPlace(b)], n)
				rec := openBytes(t, b)
				if d := cmp.Diff(want, walkCopy(rec)); d != "" {
					t.Errorf("%+v, clock %q, a count of %d (-want +got):\n%s", m, clock, n, d)
				}
				if rec.Info().CPUs != 3 || rec.Info().TraceClock != openBytes(t, f.Bytes()).Info().TraceClock {
					t.Errorf("a count of %d: %d CPUs, clock %q", n, rec.Info().CPUs, rec.Info().TraceClock)
				}
				damage := rec.Damage()
				if len(damage) != 1 || damage[0].Offset != int64(countPlace(b)) ||
					!errors.Is(damage[0], ftrace.ErrCorrupt) {
					t.Errorf("a count of %d: damage %v", n, damage)
				}
			}
		}
	}
}

type copied struct {
	Time     uint64
	ID       uint32
	CPU      int32
	Data     string
	Stream   int32
	LostHere int64
}

// walkCopy walks a recording and closes it.
func walkCopy(rec *ftrace.Recording) (all []copied) {
	defer rec.Close()
	for i, s := range rec.Streams(ftrace.StreamOptions{}) {
		for {
			batch, err := s.Next()
			if err != nil {
				break
			}
			for _, r := range batch.Records {
				all = append(all, copied{r.Time, r.ID, r.CPU, string(r.Data), int32(i), r.Lost})
			}
		}
	}
	return all
}

// A damaged entry of the table is not taken as the end of the table.
func TestDamagedEntryOfTheTable(t *testing.T) {
	f := fill(tracefile.File{Machine: machines[0], Version: 6})
	b := f.Bytes()
	entry := countPlace(b) + 4
	entry += bytes.Index(b[entry:], []byte("flyrecord\x00")) + 10 + 16 // of the second processor, which has no data
	b[entry+3] ^= 0x40
	rec := openBytes(t, b)
	if n := len(rec.Buffers()[0].CPUs); n != 3 {
		t.Errorf("%d CPUs, want 3; damage %v", n, rec.Damage())
	}
}

// The table of every recording has the recorded number of processors.
func TestTablesOfRecordings(t *testing.T) {
	shared := needs.SharedData(t)
	for _, dir := range []string{"../../testdata/ftrace/*.dat", shared + "/ftrace/*/*.dat",
		shared + "/ftrace-public/*.dat"} {
		names, _ := filepath.Glob(dir)
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil || len(b) < 12 || b[10] != '6' || len(b) > 4<<20 {
				continue
			}
			rec := openBytes(t, b)
			want, damage := len(rec.Buffers()[0].CPUs), rec.Damage()
			if rec.Buffers()[0].Text() != nil {
				continue
			}
			for _, n := range []byte{0, byte(want + 1), byte(want + 40)} {
				c := bytes.Clone(b)
				place := countPlace(c)
				for i := range 4 {
					c[place+i] = 0
				}
				if rec.Info().ByteOrder.Uint16([]byte{0, 1}) == 1 {
					place += 3
				}
				c[place] = n
				if got := openBytes(t, c); len(got.Buffers()[0].CPUs) != want || len(got.Damage()) != len(damage)+1 {
					t.Errorf("%s: %d CPUs with a count of %d, want %d; damage %v", name, len(got.Buffers()[0].CPUs), n,
						want, got.Damage())
				}
			}
		}
	}
}
