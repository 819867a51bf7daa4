package uftrace_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/runtime/uftrace"
)

// bench opens the recording of TRACEC_BENCH, or else one made by synthetic.
func bench(b *testing.B, threads int, args bool) *uftrace.Recording {
	if dir := os.Getenv("TRACEC_BENCH"); dir != "" {
		r, err := uftrace.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	r, err := uftrace.OpenFS(synthetic(threads, 1_000_000, args), "synthetic")
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// synthetic is a recording of threads that call top, mid and leaf in turn. records is the total
// number of records.
func synthetic(threads, records int, args bool) fstest.MapFS {
	fs := fstest.MapFS{}
	var tids []string
	tasks := "SESS timestamp=1.0 pid=1 sid=0123456789abcdef exename=\"/p/spin\"\n"
	for i := range threads {
		tid := i + 1
		tids = append(tids, fmt.Sprint(tid))
		tasks += fmt.Sprintf("TASK timestamp=1.0 tid=%d pid=1\n", tid)
		fs[fmt.Sprintf("%d.dat", tid)] = &fstest.MapFile{Data: calls(records/threads, uint64(2e9+i*2000),
			uint64(threads), args)}
	}
	fs["task.txt"] = &fstest.MapFile{Data: []byte(tasks)}
	fs["sid-0123456789abcdef.map"] = &fstest.MapFile{Data: []byte("555500000000-555500010000 r-xp 00000000 00:00 0 /p/spin\n7ff000000000-7ff000010000 rw-p 00000000 00:00 0 [stack]\n")}
	fs["spin.sym"] = &fstest.MapFile{Data: []byte("0000000000001000 T top\n0000000000001100 T mid\n0000000000001200 T leaf\n0000000000001300 ? __sym_end\n")}
	header := []byte("Ftrace!\x00\x04\x00\x00\x00\x28\x00\x01\x02")
	header = binary.LittleEndian.AppendUint64(header,
		uint64(uftrace.FeatTaskSession|uftrace.FeatSymRelAddr|uftrace.FeatArgument))
	header = append(header, make([]byte, 16)...)
	info := string(header) + "taskinfo:lines=2\ntaskinfo:nr_tid=" + fmt.Sprint(threads) + "\ntaskinfo:tids=" +
		strings.Join(tids, ",") +
		"\nargspec:lines=1\nargspec:top@arg1/i32;mid@arg1/i32;leaf@arg1/i32\npattern_type:regex\n"
	fs["info"] = &fstest.MapFile{Data: []byte(info)}
	return fs
}

// calls returns records of a thread, in bursts of 64. The other threads' bursts lie between them.
func calls(n int, start, threads uint64, args bool) []byte {
	var dat []byte
	t := start
	put := func(kind, depth, addr uint64) {
		t += 20
		if len(dat)/16%64 == 0 {
			t += 2000 * (threads - 1)
		}
		word := kind | 5<<3 | depth<<6 | (0x555500000000+addr+4)<<16
		if args && kind == 0 {
			word |= 4
		}
		dat = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dat, t), word)
		if args && kind == 0 {
			dat = binary.LittleEndian.AppendUint64(dat, 0xdead0000_00000007)
		}
	}
	for range n / 10 {
		put(0, 0, 0x1000)
		for range 2 {
			put(0, 1, 0x1100)
			put(0, 2, 0x1200)
			put(1, 2, 0x1200)
			put(1, 1, 0x1100)
		}
		put(1, 0, 0x1000)
	}
	return dat
}

func BenchmarkMerge(b *testing.B) {
	for _, c := range []struct {
		name    string
		threads int
		args    bool
	}{{"1thread", 1, false}, {"1threadArgs", 1, true}, {"400threads", 400, false}, {"400threadsArgs", 400, true}} {
		b.Run(c.name, func(b *testing.B) {
			r := bench(b, c.threads, c.args)
			defer r.Close()
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n += drain(b, r)
			}
			if s := r.DamageStats(); s.Count > 0 {
				b.Fatal(r.Damage()[0])
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mrec/s")
		})
	}
}

func drain(t testing.TB, r *uftrace.Recording) int {
	n := 0
	for m := r.Merge(uftrace.MergeOptions{}); ; {
		records, entries, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(records) != len(entries) {
			t.Fatal("records and entries differ in number")
		}
		n += len(records)
	}
}

// TestWalkDoesNotAllocate: a recording that is ten times as long needs no more allocations, except
// for the table of its image.
func TestWalkDoesNotAllocate(t *testing.T) {
	for _, args := range []bool{false, true} {
		var counts [2]float64
		for i, n := range []int{20_000, 200_000} {
			r, err := uftrace.OpenFS(synthetic(2, n, args), "synthetic")
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			counts[i] = testing.AllocsPerRun(2, func() { drain(t, r) })
		}
		if counts[1] > counts[0]+4 {
			t.Errorf("arguments %v: %v allocations for 20,000 records, %v for 200,000", args, counts[0], counts[1])
		}
	}
}
