package aix_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
	"pgregory.net/rapid"
)

// ordered checks the events that a log file must yield. The first four are initial conditions. Of
// the other events, the file has those that were not overwritten, or those for which there was
// room.
func ordered(t *testing.T, all []got, info *aix.LogInfo) {
	t.Helper()
	last := int64(-1)
	place := map[int32]int{-1: -1}
	for i, at := range info.Order() {
		place[int32(at)] = i
	}
	for i, g := range all {
		if (g.Buffer < 0) != g.Flags.Has(aix.Initial) {
			t.Fatalf("entry %d of buffer %d has flags %x", i, g.Buffer, g.Flags)
		}
		if p := int64(place[g.Buffer]); p < last {
			t.Fatalf("entry %d of buffer %d comes late", i, g.Buffer)
		} else {
			last = p
		}
	}
}

// TestLogRoundTrip writes log files of both kernels, with and without wrapping, and reads them
// back.
func TestLogRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		kernel64 := rapid.Bool().Draw(rt, "kernel64")
		opts := aix.LogOptions{
			BufferSize: rapid.IntRange(256, 2000).Draw(rt, "size"),
			Buffers:    rapid.IntRange(0, 6).Draw(rt, "buffers"),
			Mode:       rapid.SampledFrom([]aix.Mode{0, aix.ModeNoWrap, aix.ModeStopOnWrap}).Draw(rt, "mode"),
			Old:        rapid.Bool().Draw(rt, "old"),
		}
		events := busy(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1)), kernel64,
			rapid.IntRange(5, 150).Draw(rt, "events"))
		b := logFile(t, events, kernel64, opts)
		rec := openBytes(t, b)
		all := readAll(t, rec)
		info := rec.Info().Files[0].Log
		ordered(t, all, info)
		want := expect(events, kernel64, 1000)
		switch {
		case opts.Buffers > 0 && opts.Mode != 0:
			want = want[:len(all)]
		case info.Wraps > 0:
			want = append(want[:4:4], want[len(want)-len(all)+4:]...)
		}
		got := strip(all)
		for i := range got {
			got[i].Buffer = -1
			got[i].Flags &^= aix.Initial
		}
		if d := cmp.Diff(want, got); d != "" {
			rt.Fatal(d)
		}
		if s := rec.DamageStats(); s.Count != 0 {
			rt.Fatalf("damage: %v", rec.Damage())
		}
		kind := map[bool]aix.Kind{false: aix.Log32, true: aix.Log64}[kernel64]
		if opts.Old && !kernel64 {
			kind = aix.LogOld
		}
		if rec.Info().Kind != kind || aix.Detect(b) != kind || info.Mode != opts.Mode {
			rt.Fatalf("%v, mode %d", rec.Info().Kind, info.Mode)
		}
	})
}

// TestLogHead builds the head of both kinds by hand, according to the table in aix.md 2.6.
func TestLogHead(t *testing.T) {
	words := func(list ...any) (b []byte) {
		for _, v := range list {
			b, _ = binary.Append(b, binary.BigEndian, v)
		}
		return b
	}
	e32, e64 := unhex(t, v1), unhex(t, v4)
	a, b := unhex(t, v2), unhex(t, v5)
	for name, c := range map[string]struct {
		file []byte
		want []int32
	}{
		"32": {append(append(words(uint32(0xEFDF1112), uint32(3), uint32(1), uint32(2), uint32(7), uint32(99),
			uint32(99), uint32(60), uint32(16),
			uint32(76), uint32(32), uint32(108), uint32(16), uint32(0), uint32(0)), e32...),
			append(append([]byte(nil), a...), e32...)...), []int32{-1, 0, 1}},
		"64": {append(append(words(uint32(0xEFDF1113), uint32(2), uint32(0), uint32(0), uint32(1), uint32(99),
			uint64(99), uint64(80), uint64(64),
			uint64(144), uint64(48), uint64(192), uint64(64)), e64...), append(append([]byte(nil), b...), e64...)...),
			[]int32{-1, 1, 0}},
	} {
		rec := openBytes(t, c.file)
		var order []int32
		for _, g := range readAll(t, rec) {
			order = append(order, g.Buffer)
		}
		if d := cmp.Diff(c.want, order); d != "" || rec.DamageStats().Count != 0 {
			t.Errorf("%s: %s\n%v", name, d, rec.Damage())
		}
	}
}

// TestLogDamage damages heads and directories. Entries of intact buffers must still be read.
func TestLogDamage(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		clean := logFile(t, busy(rand.New(rand.NewPCG(11, 12)), kernel64, 100), kernel64,
			aix.LogOptions{BufferSize: 900})
		want := readAll(t, openBytes(t, clean))
		entries := len(openBytes(t, clean).Info().Files[0].Log.Buffers)
		head := 36 + 8*entries
		if kernel64 {
			head = 48 + 16*entries
		}
		worst := 0
		for at := range head {
			for _, x := range []byte{0x01, 0x80, 0xFF} {
				b := bytes.Clone(clean)
				b[at] ^= x
				rec, err := aix.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "head.trc")
				if err != nil {
					t.Errorf("64-bit %v, byte %d ^ %02X: %v", kernel64, at, x, err)
					continue
				}
				found := map[string]bool{}
				for _, g := range readAll(t, rec) {
					found[place(g)] = true
				}
				lost, buffers := 0, map[int32]bool{}
				for _, g := range want {
					if !found[place(g)] {
						buffers[g.Buffer] = true
						lost++
					}
				}
				// a wrong border cuts an entry
				if len(buffers) > 1 && lost > 2 || lost > 0 && rec.DamageStats().Count == 0 {
					t.Errorf("64-bit %v, byte %d ^ %02X: %d of %d lost, %.500v", kernel64, at, x, lost, len(want),
						rec.Damage())
				}
				worst = max(worst, lost)
			}
		}
		t.Logf("64-bit %v: %d of %d entries lost at worst", kernel64, worst, len(want))
	}
}

// TestLogOverlaps opens a directory in which every buffer extends over the whole file. The
// directory has as many buffers as fit.
func TestLogOverlaps(t *testing.T) {
	const n = 1 << 17
	b := binary.BigEndian.AppendUint32(nil, aix.MagicLog64)
	b = binary.BigEndian.AppendUint32(b, n)
	b = append(b, make([]byte, 40)...)
	for i := range uint64(n) {
		b = binary.BigEndian.AppendUint64(b, 48+16*n+i)
		b = binary.BigEndian.AppendUint64(b, 1<<18)
	}
	b = append(b, make([]byte, 1<<18)...)
	survive(t, b)
}

// TestSet writes the files of trace -C and merges them.
func TestSet(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "trace.raw")
		const cpus = 3
		set, err := aix.CreateSet(path, cpus, aix.LogOptions{WriterOptions: aix.WriterOptions{Kernel64: kernel64},
			BufferSize: 600})
		if err != nil {
			t.Fatal(err)
		}
		now := uint64(1<<32 - 20000) // stamps of 32 bits wrap on the way
		set.Base.Now = now
		set.Base.Clock(aix.Clock{Mul: 125, Div: 64, Type: 2})
		set.Base.Begin()
		r := rand.New(rand.NewPCG(1, uint64(len(path))))
		for i := range 600 {
			now += 1 + r.Uint64N(200)
			w := set.CPUs[r.IntN(cpus)]
			w.TID, w.Now = 7, now
			w.TRCHKL1T(0x50000000, uint64(i))
		}
		if err := set.Close(); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"-x", "-1x", "-"} { // not files of the set
			if err := os.WriteFile(path+name, []byte("x"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		rec, err := aix.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		i, time := 0, uint64(0)
		err = rec.Merge(record.Options{}).Run(func(r *record.Record, e *aix.Entry) error {
			if r.Time < time {
				return fmt.Errorf("entry %d: %d after %d", i, r.Time, time)
			}
			time = r.Time
			if i == 0 {
				if !e.Has(aix.Initial) || r.CPU != -1 || r.ID != 0x00A0 {
					return fmt.Errorf("first: %+v %+v", r, e)
				}
			} else if n := binary.BigEndian.Uint32(r.Data[len(r.Data)-4:]); int(n) != i-1 ||
				rec.Info().Files[r.Stream].CPU != int(r.CPU) || r.CPU < 0 {
				return fmt.Errorf("entry %d: word %d of CPU %d", i, n, r.CPU)
			}
			i++
			return nil
		})
		if err != nil || i != 601 {
			t.Errorf("64-bit %v: %d entries, %v", kernel64, i, err)
		}
		if got := rec.Info().TracedCPUs(); got != cpus {
			t.Errorf("%d CPUs", got)
		}
		if want := (aix.Clock{Mul: 125, Div: 64, Type: 2}); rec.Info().Clock != want || !rec.Info().HasClock {
			t.Errorf("clock %+v", rec.Info().Clock)
		}
		if s := rec.DamageStats(); s.Count != 0 {
			t.Errorf("damage: %v", rec.Damage())
		}
		if n := len(rec.Streams(record.Options{CPUs: []int32{1}})); n != 2 {
			t.Errorf("%d streams of the base file and CPU 1", n)
		}
		rec.Close()
		broken(t, path)
	}
}

// broken opens parts of a set: one file by itself, and the files left when some are missing.
func broken(t *testing.T, path string) {
	t.Helper()
	one, err := aix.Open(path + "-2")
	if err != nil || one.Info().Files[0].CPU != 2 {
		t.Errorf("the file of CPU 2: %v", err)
	}
	one.Close()
	if err := errors.Join(os.Truncate(path+"-1", 3), os.Remove(path+"-0")); err != nil {
		t.Fatal(err)
	}
	rec, err := aix.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	list := rec.Damage()
	if rec.Info().TracedCPUs() != 1 || len(list) != 1 || list[0].File != path+"-1" ||
		!errors.Is(list[0], aix.ErrFormat) {
		t.Errorf("%v", list)
	}
	none, err := aix.Open(path, aix.WithCPUFiles(aix.CPUFilesNever))
	if err != nil || none.DamageStats().Count != 0 || none.Info().TracedCPUs() != 0 {
		t.Errorf("base file alone: %v", err)
	}
	none.Close()
}

// TestPipe reads the test files through pipes, in pieces of all sizes.
func TestPipe(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		events := busy(rand.New(rand.NewPCG(13, 14)), kernel64, needs.Cases(t, 5000, 20_000))
		for name, b := range map[string][]byte{
			"stream": stream(t, events, kernel64, 1000),
			"log":    logFile(t, events, kernel64, aix.LogOptions{}),
		} {
			want := readAll(t, openBytes(t, b))
			for _, pieces := range []int{0, 1} {
				in := iotest.DataErrReader(bytes.NewReader(b))
				if pieces == 1 {
					in = iotest.HalfReader(in)
				}
				rec, err := aix.OpenReader(in, "pipe", aix.WithTempDir(t.TempDir()))
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, readAll(t, rec)); d != "" {
					t.Errorf("%s, 64-bit %v: %.2000s", name, kernel64, d)
				}
				rec.Close()
			}
		}
		fail := errors.New("no more")
		rec, err := aix.OpenReader(iotest.ErrReader(fail), "pipe")
		if !errors.Is(err, fail) {
			t.Errorf("%v, %v", rec, err)
		}
	}
}

// TestReadError returns the data before a failing read, and then the error.
func TestReadError(t *testing.T) {
	b := stream(t, busy(rand.New(rand.NewPCG(15, 16)), true, 30000), true, 1000)
	fail := errors.New("bad sector")
	rec, err := aix.OpenReaderAt(badSector{bytes.NewReader(b), 700000, fail}, int64(len(b)), "disk")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for s := rec.Streams(record.Options{})[0]; ; {
		batch, err := s.Next()
		if n += len(batch.Records); err != nil {
			var d *aix.Damage
			if !errors.Is(err, fail) || !errors.As(err, &d) || d.File != "disk" {
				t.Errorf("%v", err)
			}
			break
		}
	}
	if n < 5000 {
		t.Errorf("%d entries", n)
	}
}

type badSector struct {
	*bytes.Reader
	at  int64
	err error
}

func (b badSector) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > b.at {
		return 0, b.err
	}
	return b.Reader.ReadAt(p, off)
}

// place identifies an entry that may be read in another order.
func place(g got) string { return fmt.Sprint(g.Offset, g.ID, g.TID, g.Data) }
