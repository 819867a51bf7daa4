package main

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

func TestMain(m *testing.M) { needs.Main(m) }

// walked returns the number of events in a recording, and a sum over all of them.
func walked(t *testing.T, rec *ftrace.Recording) (n int, sum uint64) {
	t.Helper()
	h := fnv.New64a()
	last := map[int32]uint64{}
	streams := rec.Buffers()[0].Streams(ftrace.StreamOptions{})
	m := record.Merge(streams, nil)
	for r := range m.All() {
		n++
		if r.Time < last[r.CPU] {
			t.Fatalf("record %d of CPU %d goes back from %d to %d", n, r.CPU, last[r.CPU], r.Time)
		}
		last[r.CPU] = r.Time
		var b [20]byte
		binary.LittleEndian.PutUint64(b[:], r.Time)
		binary.LittleEndian.PutUint32(b[8:], r.ID)
		binary.LittleEndian.PutUint32(b[12:], uint32(r.CPU))
		binary.LittleEndian.PutUint32(b[16:], uint32(len(r.Data)))
		h.Write(b[:])
		h.Write(r.Data)
	}
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	for _, d := range rec.Damage() {
		t.Error(d)
	}
	return n, h.Sum64()
}

func TestStretch(t *testing.T) {
	for _, name := range []string{"amd64-extract.dat", "i386-userstack.dat", "s390x-markers.dat"} {
		t.Run(name, func(t *testing.T) { stretched(t, filepath.Join("../../../testdata/ftrace", name)) })
	}
	for _, name := range []string{
		"bookworm-6.1-amd64/clock-mono.dat", "bookworm-6.1-s390x/clock-mono.dat",
		"bookworm-6.1-i386/raw-syscalls-sched.dat",
		"trixie-6.12-arm64-16k/events-userstack.dat", "bookworm-6.1-amd64/file-version-6.dat",
		"bookworm-6.1-amd64/markers.dat",
	} {
		t.Run(name, func(t *testing.T) { stretched(t, needs.Shared(t, filepath.Join("ftrace", name))) })
	}
}

// stretched makes a long recording from a short one, in both versions, and compares their contents.
func stretched(t *testing.T, in string) {
	rec, err := ftrace.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	one, _ := walked(t, rec)
	sums := map[int]uint64{}
	for _, version := range []int{6, 7} {
		out := filepath.Join(t.TempDir(), "big.dat")
		if err := stretch(in, out, "1M", version); err != nil {
			t.Fatal(err)
		}
		st, _ := os.Stat(out)
		if st.Size() < 1<<20 {
			t.Errorf("%d bytes", st.Size())
		}
		big, err := ftrace.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer big.Close()
		if _, err := big.Sections(); err != nil {
			t.Error(err)
		}
		n, sum := walked(t, big)
		if n < 2*one || n%one != 0 {
			t.Errorf("%d events, %d in the original", n, one)
		}
		sums[version] = sum
		if len(big.Formats()) != len(rec.Formats()) || big.Info().TraceClock != rec.Info().TraceClock ||
			big.Info().Uname != rec.Info().Uname || big.Comm(1) != rec.Comm(1) {
			t.Error("meta data differ from the original's")
		}
		t.Run(fmt.Sprintf("trace-cmd version %d", version), func(t *testing.T) { readByTraceCmd(t, out, n) })
	}
	if sums[6] != sums[7] {
		t.Error("versions 6 and 7 differ")
	}
}

// readByTraceCmd counts the events with trace-cmd.
func readByTraceCmd(t *testing.T, file string, want int) {
	t.Helper()
	path := needs.Program(t, "trace-cmd", "apt-get install trace-cmd")
	out, err := exec.Command(path, "report", "-R", file).CombinedOutput()
	if err != nil {
		t.Fatalf("trace-cmd report: %v\n%s", err, out[:min(len(out), 2000)])
	}
	// An event may have several lines. Only its first line begins with a task and a CPU.
	n := 0
	for line := range strings.Lines(string(out)) {
		if i := strings.Index(line, "["); i > 20 && len(line) > i+5 && line[i+4] == ']' {
			n++
		}
	}
	if n != want {
		t.Errorf("trace-cmd reports %d events, want %d", n, want)
	}
}

func TestSizes(t *testing.T) {
	for s, want := range map[string]int64{"1": 1, "3K": 3072, "400M": 400 << 20, "2G": 2 << 30, "": 0, "M": 0, "-1": 0,
		"1T": 0, "1MM": 0} {
		if got, err := parseSize(s); got != want || (err == nil) != (want > 0) {
			t.Errorf("parseSize(%q) = %d, %v", s, got, err)
		}
	}
}

// TestLaterMovesAbsoluteStamps: events of a page may have absolute times.
func TestLaterMovesAbsoluteStamps(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		head := func(b []byte, typ, delta uint32) []byte {
			if order == binary.AppendByteOrder(binary.BigEndian) {
				return order.AppendUint32(b, typ<<27|delta)
			}
			return order.AppendUint32(b, typ|delta<<5)
		}
		page := func(stamp, absolute uint64) []byte {
			b := order.AppendUint64(nil, stamp)
			b = order.AppendUint64(b, 36|1<<31)
			b = order.AppendUint64(head(b, 2, 5), 77) // a record
			b = order.AppendUint32(head(b, 30, 1), 9) // TIME_EXTEND
			b = order.AppendUint32(head(b, 31, uint32(absolute)&(1<<27-1)), uint32(absolute>>27))
			return order.AppendUint64(head(b, 2, 5), 78)
		}
		l := &loop{order: order.(binary.ByteOrder), head: 16, word: 8, page: 64, span: 1 << 33}
		got := page(1000, 1<<27-1)
		l.later(got)
		if want := page(1000+1<<33, 1<<27-1+1<<33); string(got) != string(want) {
			t.Errorf("%v: got %x, want %x", order, got, want)
		}
	}
}
