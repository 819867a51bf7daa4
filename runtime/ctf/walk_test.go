package ctf_test

import (
	"encoding/binary"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// sample returns the files of a sample.
func sample(t testing.TB, group, name string) fstest.MapFS {
	t.Helper()
	list := ctftest.Samples(t, group)
	i := slices.IndexFunc(list, func(s *ctftest.Sample) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no sample %s of %s", name, group)
	}
	files := fstest.MapFS{}
	err := fs.WalkDir(list[i].Dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(list[i].Dir, path)
		files[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Places in packets of LTTng's user space tracer.
const (
	beginAt, endAt, contentAt, sizeAt, seqAt, lostAt = 32, 40, 48, 56, 64, 72
)

// repeated returns a trace of LTTng with about size bytes in its streams: its packets again and
// again, each time later by a multiple of 2^32 cycles.
func repeated(t testing.TB, size int) fstest.MapFS {
	files := sample(t, "lttng", "lttng-2.13.ust-channels")
	for path, f := range files {
		switch {
		case strings.HasSuffix(path, ".idx"):
			delete(files, path)
		case strings.Contains(path, "many_"):
			once := f.Data
			f.Data = make([]byte, 0, size/2+len(once))
			for i := uint64(0); len(f.Data) < size/2; i++ {
				at := len(f.Data)
				f.Data = append(f.Data, once...)
				for n := uint64(0); at < len(f.Data); n++ {
					b := f.Data[at:]
					binary.LittleEndian.PutUint64(b[beginAt:], binary.LittleEndian.Uint64(b[beginAt:])+i<<32)
					binary.LittleEndian.PutUint64(b[endAt:], binary.LittleEndian.Uint64(b[endAt:])+i<<32)
					binary.LittleEndian.PutUint64(b[seqAt:], i*uint64(len(once)/4096)+n)
					at += int(binary.LittleEndian.Uint64(b[sizeAt:]) / 8)
				}
			}
		}
	}
	return files
}

// cpu returns the time that the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkMerge(b *testing.B) {
	rec, err := ctf.OpenFS(repeated(b, 74<<20), "big")
	if err != nil {
		b.Fatal(err)
	}
	n, begin := 0, cpu()
	for b.Loop() {
		if err := rec.Merge(record.Options{}).EachRun(func(r []record.Record,
			_ []ctf.Entry) error {
			n += len(r)
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	if rec.DamageStats().Count > 0 {
		b.Fatal(rec.Damage()[0])
	}
	b.ReportMetric(float64(n)/(cpu()-begin).Seconds()/1e6, "Mevents/cpu-s")
}

func BenchmarkSlices(b *testing.B) {
	rec, err := ctf.OpenFS(repeated(b, 74<<20), "big")
	if err != nil {
		b.Fatal(err)
	}
	n, begin := 0, cpu()
	for b.Loop() {
		err := record.InSlices(b.Context(), rec.Slices(record.Options{Workers: 2}, 0), 2,
			func(_ int, s record.Slice[ctf.Entry]) (n int, err error) {
				return n, s.Merge().EachRun(func(r []record.Record, _ []ctf.Entry) error { n += len(r); return nil })
			}, func(k int) error { n += k; return nil })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/(cpu()-begin).Seconds()/1e6, "Mevents/cpu-s")
}
