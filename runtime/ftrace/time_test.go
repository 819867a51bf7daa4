package ftrace_test

import (
	"errors"
	"io"
	"math"
	"math/bits"
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// times opens a file of one page with events at the given times and the given options.
func times(t *testing.T, opts ftrace.StreamOptions, options []tracefile.Option, at ...uint64) []uint64 {
	t.Helper()
	m := machines[0]
	p := m.NewPage(1024, at[0])
	last := at[0]
	for _, v := range at {
		p.Extend(v-last).Event(0, m.Payload(301, 7))
		last = v
	}
	f := oneCPU(m, 1024, p.Done())
	f.Options = options
	var got []uint64
	for _, e := range walk(t, openBytes(t, f.Bytes()).Streams(opts)) {
		got = append(got, e.Time)
	}
	return got
}

func TestTimePipeline(t *testing.T) {
	o := machines[0].Order()
	date := tracefile.Option{ID: ftrace.OptionDate, Payload: []byte("0x64\x00")} // 100 us
	offset := tracefile.Option{ID: ftrace.OptionOffset, Payload: []byte("-5000\x00")}
	tsc := tracefile.Option{ID: ftrace.OptionTSC2NSEC, Payload: numbers(o, uint32(3<<20), uint32(21), uint64(77))}
	shift := func(flags uint32, samples ...any) tracefile.Option {
		return tracefile.Option{ID: ftrace.OptionTimeShift,
			Payload: numbers(o, append([]any{uint64(9), flags, uint32(1)}, samples...)...)}
	}
	one := shift(0, uint32(1), uint64(50), int64(-40), uint64(1))
	two := []any{uint32(2), uint64(1000), uint64(2000), int64(10), int64(110), uint64(1), uint64(1)}
	scaled := shift(0, uint32(2), uint64(0), uint64(5000), int64(-1), int64(7), uint64(3)<<32, uint64(5)<<32,
		uint64(33), uint64(32))
	fall := []any{uint32(2), uint64(1200), uint64(2200), int64(-10), int64(-13), uint64(1), uint64(1)}
	three := []any{uint32(3), uint64(1000), uint64(1400), uint64(1600), int64(10), int64(20), int64(50), uint64(1),
		uint64(1), uint64(1)}
	big := uint64(1) << 60
	hi, lo := bits.Mul64(big, 3<<20)
	for _, c := range []struct {
		name    string
		opts    ftrace.StreamOptions
		options []tracefile.Option
		want    []uint64 // of 1000, 1500, 4000
	}{
		{"as recorded", ftrace.StreamOptions{}, nil, []uint64{1000, 1500, 4000}},
		{"date", ftrace.StreamOptions{}, []tracefile.Option{date}, []uint64{101000, 101500, 104000}},
		{"date and offset", ftrace.StreamOptions{}, []tracefile.Option{offset, date}, []uint64{96000, 96500, 99000}},
		{"no date", ftrace.StreamOptions{NoDate: true, Offset: 5000}, []tracefile.Option{offset, date},
			[]uint64{1000, 1500, 4000}},
		{"user's offset", ftrace.StreamOptions{Offset: 7}, []tracefile.Option{date}, []uint64{101007, 101507, 104007}},
		{"raw", ftrace.StreamOptions{RawTime: true, Offset: 7}, []tracefile.Option{date, offset, tsc, one},
			[]uint64{1000, 1500, 4000}},
		{"tsc", ftrace.StreamOptions{}, []tracefile.Option{tsc}, []uint64{1500, 2250, 6000}},
		{"scale, then shift", ftrace.StreamOptions{}, []tracefile.Option{date, tsc}, []uint64{101500, 102250, 106000}},
		{"user's rate in place of tsc", ftrace.StreamOptions{TicksPerS: 5e8}, []tracefile.Option{tsc, date},
			[]uint64{102000, 103000, 108000}},
		{"one sample", ftrace.StreamOptions{}, []tracefile.Option{one}, []uint64{960, 1460, 3960}},
		{"peer, then scale, then shift", ftrace.StreamOptions{}, []tracefile.Option{date, tsc, one},
			[]uint64{101440, 102190, 105940}},
		{"two samples", ftrace.StreamOptions{}, []tracefile.Option{shift(0, two...)}, []uint64{1010, 1510, 4010}},
		{"interpolated", ftrace.StreamOptions{}, []tracefile.Option{shift(1, two...)}, []uint64{1010, 1560, 4310}},
		// Before, between and after the samples, as trace-cmd 3.1.6 converts the times of
		// file-version-6.dat with such samples.
		{"extrapolated and rounded", ftrace.StreamOptions{}, []tracefile.Option{shift(1, fall...)},
			[]uint64{991, 1490, 3983}},
		{"the last two of three", ftrace.StreamOptions{}, []tracefile.Option{shift(0, three...)},
			[]uint64{1010, 1520, 4020}},
		{"the line through them", ftrace.StreamOptions{}, []tracefile.Option{shift(1, three...)},
			[]uint64{1010, 1535, 4410}},
		{"scaled samples", ftrace.StreamOptions{}, []tracefile.Option{scaled}, []uint64{1499, 2249, 5999}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := times(t, c.opts, c.options, 1000, 1500, 4000)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	if got := times(t, ftrace.StreamOptions{}, []tracefile.Option{tsc}, big); got[0] != lo>>21|hi<<43 {
		t.Errorf("the product of TSC and multiplier needs more than 64 bits: got %d", got[0])
	}
}

// TestTimeWindow compares every window with a filtered walk, for the three kinds of data that are
// bisected.
func TestTimeWindow(t *testing.T) {
	m := machines[0]
	for _, c := range []tracefile.File{
		{Machine: m, Version: 6}, {Machine: m, Version: 7, Compression: "zstd", ChunkPages: 3},
		{Machine: m, Version: 7, Compression: "zlib", ChunkPages: 1},
	} {
		f := oneCPU(m, 256, manyPages(m, 256, 10, 1000, 301), m.NewPage(256, 0).Done(),
			manyPages(m, 256, 10, 2000, 301))
		f.Version, f.Compression, f.ChunkPages, f.CPUs = c.Version, c.Compression, c.ChunkPages, 1
		f.Options = []tracefile.Option{{ID: ftrace.OptionOffset, Payload: []byte("100")}}
		rec := openBytes(t, f.Bytes())
		all := walk(t, rec.Streams(ftrace.StreamOptions{}))
		if len(all) != 40 || all[0].Time != 1100 || all[39].Time != 3050 {
			t.Fatalf("%d records from %v", len(all), all)
		}
		for since := uint64(1000); since < 3200; since += 25 {
			for _, until := range []uint64{0, 1500, since + 1, since + 333, 5000} {
				var want []event
				for _, e := range all {
					if e.Time >= since && (e.Time < until || until == 0) {
						want = append(want, e)
					}
				}
				got := walk(t, rec.Streams(ftrace.StreamOptions{Options: record.Options{Since: since, Until: until}}))
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("version %d %s [%d, %d) (-want +got):\n%s", c.Version, c.Compression, since, until, d)
				}
			}
		}
		if d := rec.Damage(); len(d) > 0 {
			t.Error(d)
		}
	}
}

func TestCPUChoice(t *testing.T) {
	rec := openBytes(t, fill(tracefile.File{Machine: machines[0], Version: 7}).Bytes())
	if n := len(rec.Buffers()[0].Streams(ftrace.StreamOptions{Options: record.Options{CPUs: []int32{2, 1,
		9}}})); n != 2 {
		t.Errorf("%d streams, want 2", n)
	}
	s := rec.Buffers()[0].Streams(ftrace.StreamOptions{Options: record.Options{CPUs: []int32{1}}})
	if batch, err := s[0].Next(); err != io.EOF {
		t.Errorf("empty CPU: %v, %v", batch, err)
	}
}

var poolsForget bool // see race_test.go

// TestWalkDoesNotAllocate checks that a walk does not allocate per event, page, chunk or block.
// With packed chunks, a batch each, fewer than half may allocate. When both goroutines unpack at
// once for the first time, at any chunk, the second one allocates its buffers.
func TestWalkDoesNotAllocate(t *testing.T) {
	const pages = 1000
	for _, v := range variants() {
		t.Run(variantName(&v), func(t *testing.T) {
			f := oneCPU(v.Machine, 4096, manyPages(v.Machine, 4096, pages, 1000, 301))
			f.Version, f.Compression, f.ChunkPages, f.CPUs = v.Version, v.Compression, v.ChunkPages, 1
			f.Options = []tracefile.Option{{ID: ftrace.OptionOffset, Payload: []byte("100")}}
			rec := openBytes(t, f.Bytes())
			least, batches := math.MaxInt, 0
			for range 3 { // other goroutines of the process may allocate during one walk
				n := 0
				n, batches = walkAllocs(t, rec.Streams(ftrace.StreamOptions{Options: record.Options{Since: 1,
					Workers: 2}})[0])
				least = min(least, n)
			}
			once := 0
			if v.Compression != "" {
				once = batches / 2
			}
			if least > once && !(poolsForget && v.Compression == "zstd") {
				t.Errorf("%d allocations for %d batches of %d pages", least, batches, pages)
			}
			rec.Symbols()
			rec.Comm(1)
			rec.Printk(1)
			if n := testing.AllocsPerRun(100, func() {
				rec.Symbols().Lookup(5)
				rec.Comm(1)
				rec.Printk(1)
			}); n != 0 {
				t.Errorf("%v allocations per look-up", n)
			}
		})
	}
}

// walkAllocs reads a stream to its end, and returns how many allocations and batches there were
// after the first two batches.
func walkAllocs(t *testing.T, s record.Stream[record.None]) (allocs, batches int) {
	s.Next()
	s.Next()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := error(nil)
	for ; err == nil; batches++ {
		_, err = s.Next()
	}
	runtime.ReadMemStats(&after)
	if err != io.EOF {
		t.Fatal(err)
	}
	return int(after.Mallocs - before.Mallocs), batches
}

// TestClosed checks that a stream of a closed recording ends with an error, even if a callback
// closed it.
func TestClosed(t *testing.T) {
	rec, err := ftrace.Open("../../testdata/ftrace/amd64-clock-counter.dat")
	if err != nil {
		t.Fatal(err)
	}
	streams := rec.Streams(ftrace.StreamOptions{})
	if _, err := streams[0].Next(); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	for i, s := range append(streams, rec.Streams(ftrace.StreamOptions{})...) {
		if batch, err := s.Next(); len(batch.Records) != 0 || !errors.Is(err, os.ErrClosed) {
			t.Errorf("stream %d: %d records, %v", i, len(batch.Records), err)
		}
	}
}
