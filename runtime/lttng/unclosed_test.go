package lttng

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/hostile"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// everyLayout returns each dialect in both byte orders and word sizes, packed and aligned, with
// short time stamps and without.
func everyLayout() (all []Layout) {
	for d := V07; d <= Seed; d++ {
		for _, big := range []bool{false, true} {
			for _, word := range []int{4, 8} {
				for _, alignment := range []int{0, word} {
					for _, beats := range []bool{false, true} {
						if beats && d >= V20 && d != Seed {
							continue
						}
						all = append(all, Layout{
							Dialect: d, BigEndian: big, WordSize: word, Alignment: alignment, BlockSize: 4096, CPUs: 1,
							Freq: 1e9, StartTSC: 1 << 40, Heartbeat: beats,
						})
					}
				}
			}
		}
	}
	return all
}

func (l Layout) testName() string {
	order := "le"
	if l.BigEndian {
		order = "be"
	}
	return fmt.Sprintf("%s-%s%d-align%d-beats=%v", l.Dialect, order, 8*l.WordSize, l.Alignment, l.Heartbeat)
}

// threeBlocks returns a trace of any dialect whose data file has three sub-buffers.
func threeBlocks(t *testing.T, l Layout) (mem *traceFiles, data string) {
	if !l.Dialect.facilities() {
		mem, data, _ = smallTrace(t, l)
		return mem, data
	}
	o := newOldTrace(t, l)
	o.load("user_generic", userGenericSum, 0x44)
	for i := 0; o.files["cpu"] == nil || o.files["cpu"][0].blocks < 2; i++ {
		o.event("cpu", 0x44, 1, "s %s p %p", strings.Repeat("n", i%17), i)
	}
	o.done(nil)
	return o.mem, "cpu_0"
}

// sizeFields returns the places in the header of the sizes that an unclosed sub-buffer lacks:
// lost_size or data_size, then buf_size or sb_size (lttng.md 3.1, 3.3).
func sizeFields(d Dialect) (used, block int) {
	if d <= V20 || d == Seed {
		return 32, 36
	}
	return 52, 56
}

// bounded returns the trace with a limit on reads that depends on its size. The limit allows a few
// reads of each page.
func (m *traceFiles) bounded() (*hostile.Limit, fs.FS) {
	var reads int64 = 64
	for _, f := range m.files {
		reads += 16 * (1 + int64(len(f.Data))/pageSize)
	}
	limit := hostile.NewLimit(reads)
	return limit, limit.FS(m.files)
}

func openBounded(t testing.TB, m *traceFiles, opts ...Option) *Recording {
	t.Helper()
	_, files := m.bounded()
	rec, err := OpenFS(files, "trace", opts...)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestUnclosedEverywhere leaves the first, a middle or the last sub-buffer unclosed, like a
// recorder that was killed, in every dialect. All events are read, and the place is named.
func TestUnclosedEverywhere(t *testing.T) {
	for _, l := range needs.Some(t, everyLayout(), 9) {
		t.Run(l.testName(), func(t *testing.T) {
			mem, data := threeBlocks(t, l)
			opts := []Option{}
			if l.Dialect == Seed {
				opts = append(opts, WithDialect(Seed))
			}
			whole := readFile(t, openMemory(t, mem, opts...), data)
			if len(whole) < 100 {
				t.Fatalf("%d events", len(whole))
			}
			used, size := sizeFields(l.Dialect)
			for block := range 3 {
				for _, fields := range [][]int{{used}, {used, size}} {
					b := slices.Clone(mem.files[data].Data)
					for _, at := range fields {
						copy(b[block*l.BlockSize+at:], "\xff\xff\xff\xff")
					}
					rec := openBounded(t, mem.put(data, b), opts...)
					have := readFile(t, rec, data)
					if d := cmp.Diff(whole, have, cmp.AllowUnexported(placed{})); d != "" {
						t.Errorf("sub-buffer %d, fields %v (-closed +open)\n%s", block, fields, d)
					}
					want := fmt.Sprintf("trace/%s: offset %d (%#x): %v\n", data, block*l.BlockSize, block*l.BlockSize,
						ErrUnclosed)
					if text := damageText(rec); text != want {
						t.Errorf("sub-buffer %d, fields %v: damage\n%swant\n%s", block, fields, text, want)
					}
				}
			}
		})
	}
}

// TestUnclosedRest overwrites an unclosed sub-buffer from each event on with possible contents of
// memory: an incomplete event, or older events. They must not become events, and their length is
// reported.
func TestUnclosedRest(t *testing.T) {
	for _, l := range []Layout{
		{Dialect: V26, WordSize: 4}, {Dialect: V23, WordSize: 4, Alignment: 4, BigEndian: true},
		{Dialect: V10, WordSize: 8, Alignment: 8},
	} {
		l.BlockSize, l.CPUs, l.Freq, l.StartTSC = 4096, 1, 1e9, 1<<40
		mem, data, _ := smallTrace(t, l)
		whole := readFile(t, openMemory(t, mem), data)
		closed := mem.files[data].Data
		used, _ := sizeFields(l.Dialect)
		block := int64(l.BlockSize) // the second
		var second []placed
		for _, p := range whole {
			if p.offset/block == 1 {
				second = append(second, p)
			}
		}
		for i, p := range second[1:] {
			old := slices.Clone(closed)
			copy(old[block+int64(used):], "\xff\xff\xff\xff")
			// of an earlier use, from its first event on
			copy(old[alignUp(int(p.offset), l.Alignment):2*block], closed[whole[0].offset:block])
			reserved := slices.Clone(closed)
			copy(reserved[block+int64(used):], "\xff\xff\xff\xff")
			clear(reserved[p.offset : p.offset+blank])
			for name, b := range map[string][]byte{"old": old, "reserved": reserved} {
				rec := openBounded(t, mem.put(data, b))
				var have, want []placed
				for _, q := range readFile(t, rec, data) {
					if q.offset/block == 1 {
						have = append(have, q)
					}
				}
				if want = second[:i+1]; !slices.Equal(want, have) {
					t.Fatalf("%s %s: %d events before offset %d, want %d", l.testName(), name, len(have), p.offset,
						len(want))
				}
				end := int64(len(strings.TrimRight(string(b[:2*block]), "\x00")))
				lost := fmt.Sprintf("%s: offset %d (%#x): bytes after the last event that can be read: %v (%d bytes skipped)\n", data, p.offset, p.offset, ErrUnclosed, end-p.offset)
				if end > p.offset+blank && !strings.Contains(damageText(rec), lost) {
					t.Fatalf("%s %s: damage\n%swants\n%s", l.testName(), name, damageText(rec), lost)
				}
			}
		}
	}
}

// TestProgress sets every word near the beginning of a file to invalid lengths and offsets. The
// walk reads each page only a few times, and yields no more events than fit into steps of 4 bytes.
func TestProgress(t *testing.T) {
	layouts := slices.DeleteFunc(everyLayout(), func(l Layout) bool { // each dialect twice
		return l.BigEndian != (l.WordSize == 8) || l.BigEndian != (l.Alignment != 0) || l.Heartbeat
	})
	for _, l := range needs.Some(t, layouts, 7) {
		mem, data := threeBlocks(t, l)
		for _, name := range []string{data, l.metadata() + "_0"} {
			whole := mem.files[name].Data
			for what, b := range hostile.Mutants(t, whole[:maxHeader+24]) {
				advances(t, l.testName()+": "+name+": "+what, mem.put(name, slices.Concat(b, whole[len(b):])))
			}
			for what, b := range hostile.Constants(2 * pageSize) {
				advances(t, l.testName()+": "+name+": "+what, mem.put(name, b))
			}
			for what, b := range hostile.Constants(2 * pageSize) {
				advances(t, l.testName()+": "+name+": after a header, "+what,
					mem.put(name, slices.Concat(whole[:l.headerSize()], b)))
			}
		}
	}
}

func advances(t *testing.T, name string, mem *traceFiles) {
	t.Helper()
	limit, files := mem.bounded()
	rec, err := OpenFS(files, "trace")
	if err == nil {
		size := 0
		for _, f := range mem.files {
			size += len(f.Data)
		}
		if n := len(read(t, rec)); n > size/4 {
			t.Fatalf("%s: %d events in %d bytes", name, n, size)
		}
	}
	if limit.Exceeded() {
		t.Fatalf("%s: %v", name, hostile.ErrStuck)
	}
}
