package command

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/uftrace"
)

// childVariable makes the test binary the command, for tests that measure a process. It names the
// file to which the command copies /proc/self/status at its end.
const childVariable = "TRACEC_TEST_CHILD"

const (
	// hostileMemory is the value of --memory for the children.
	hostileMemory = 64 << 20
	// hostileReserve is the other memory of the process: its code, tables and stacks, output, and
	// their garbage.
	hostileReserve = 96 << 20
)

// hostileInputs are inputs that claim far more memory than there is, and commands for them.
var hostileInputs = []struct {
	name     string
	make     func(t *testing.T, dir string) string
	commands []string
}{
	{"processors that share a chunk", sharedChunks, []string{"report FILE", "info FILE"}},
	{"processors with large pages", largePages, []string{"report FILE", "info FILE"}},
	{"a kernel of a million formats", manyFormats, []string{"report FILE", "list FILE", "info FILE"}},
	{"symbols", manySymbols, []string{"report FILE", "info FILE"}},
	{"a task in every record", manyTasks, []string{"report FILE", "info FILE", "trace-cmd report --profile FILE",
		"trace-cmd report -w FILE"}},
	{"noise of AIX", aixNoise, []string{"report FILE", "info FILE", "list FILE"}},
	{"symbols of uftrace", uftraceSymbols, []string{"report FILE", "info FILE", "uftrace report -d FILE"}},
	{"tasks of uftrace", uftraceTasks, []string{"report FILE", "info FILE", "uftrace info --task -d FILE",
		"uftrace graph --task -d FILE"}},
	{"calls of uftrace", uftraceCalls, []string{"report FILE", "uftrace report -d FILE", "uftrace graph -d FILE",
		"uftrace dump --flame-graph -d FILE", "uftrace dump --chrome -d FILE"}},
	{"deep calls of uftrace", uftraceDeep, []string{"uftrace replay -f all -d FILE", "uftrace replay -d FILE",
		"uftrace dump -d FILE", "export --to ndjson -o /dev/null FILE"}},
	{"a sub-buffer of LTTng", lttngBlock, []string{"report FILE", "info FILE", "list FILE"}},
}

// write writes a file of a hostile input.
func write(t *testing.T, name string, b []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

var hostileMachine = tracefile.Machine{Word: 8}

func hostileFile(page int) *tracefile.File {
	return &tracefile.File{
		Machine: hostileMachine, Version: 7, PageSize: page,
		Systems: []tracefile.System{{Name: "sched", Formats: []string{tracefile.Format("sched_switch", 301)}}},
		Buffers: []tracefile.Buffer{{}},
	}
}

// sharedChunks writes a recording of 100 processors that claim the same chunk of a few KB, which
// unpacks to 64 MiB.
func sharedChunks(t *testing.T, dir string) string {
	const cpus, plain = 100, 64 << 20
	f := hostileFile(4096)
	f.Compression, f.ChunkPages = "zstd", plain/4096
	f.Buffers[0].CPUs = []tracefile.CPU{{Pages: make([]byte, plain)}}
	return write(t, filepath.Join(dir, "shared.dat"), f.SharedBytes(cpus))
}

// largePages writes a sparse file of 300 processors with a page of 1 MiB each.
func largePages(t *testing.T, dir string) string {
	const page = 1 << 20
	f := hostileFile(page)
	f.Version, f.CPUs = 6, 300
	for i := range f.CPUs {
		f.Buffers[0].CPUs = append(f.Buffers[0].CPUs, tracefile.CPU{ID: i})
	}
	b := f.Bytes()
	table := bytes.Index(b, []byte("flyrecord\x00")) + 10
	for i := range f.CPUs {
		binary.LittleEndian.PutUint64(b[table+16*i:], uint64(i+1)*page)
		binary.LittleEndian.PutUint64(b[table+16*i+8:], page)
	}
	name := write(t, filepath.Join(dir, "large.dat"), b[:min(len(b), page)])
	if err := os.Truncate(name, int64(f.CPUs+1)*page); err != nil {
		t.Fatal(err)
	}
	return name
}

func manyFormats(t *testing.T, dir string) string {
	f := hostileFile(4096)
	f.Compression = "zstd"
	for i := range 80_000 {
		f.Systems[0].Formats = append(f.Systems[0].Formats, tracefile.Format(fmt.Sprint("event", i), 400+i))
	}
	return write(t, filepath.Join(dir, "formats.dat"), f.Bytes())
}

func manySymbols(t *testing.T, dir string) string {
	f := hostileFile(4096)
	f.Compression = "zstd"
	f.Kallsyms = strings.Repeat("ffff0000 T s\n", 4_800_000)
	f.Cmdlines = strings.Repeat("7 s\n", 1_000_000)
	f.Buffers[0].CPUs = []tracefile.CPU{{Pages: hostileMachine.NewPage(4096, 1000).Event(0,
		hostileMachine.Payload(301, 7, 5)).Done()}}
	return write(t, filepath.Join(dir, "symbols.dat"), f.Bytes())
}

// manyTasks writes records of 2 million threads.
func manyTasks(t *testing.T, dir string) string {
	f := hostileFile(4096)
	f.Systems[0].Formats = []string{strings.Replace(tracefile.Format("sched_switch", 301), "\n\nprint fmt",
		"\n\tfield:char prev_comm[16];\toffset:12;\tsize:16;\tsigned:0;\n\tfield:pid_t next_pid;\toffset:28;\tsize:4;\tsigned:1;\n"+
			"\tfield:char next_comm[16];\toffset:32;\tsize:16;\tsigned:0;\n\nprint fmt", 1)}
	var pages []byte
	for task := int32(1); task < 1_000_000; {
		p := hostileMachine.NewPage(4096, uint64(task))
		for range 4000 / 52 {
			p.Event(1, hostileMachine.Payload(301, task, 1, 0x61616161, 0x61616161, 0x61616161, 0x61, uint32(task)+1,
				0x62626262, 0x62626262, 0x62626262, 0x62))
			task++
		}
		pages = append(pages, p.Done()...)
	}
	f.Buffers[0].CPUs = []tracefile.CPU{{Pages: pages}}
	return write(t, filepath.Join(dir, "tasks.dat"), f.Bytes())
}

func aixNoise(t *testing.T, dir string) string {
	b := make([]byte, 0, 32<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range uint32(1_000_000) { // hook 10A with a data word, each of another thread
		b = binary.BigEndian.AppendUint32(b, 0x10AA_0000)
		b = binary.BigEndian.AppendUint32(b, r.Uint32())
		b = binary.BigEndian.AppendUint32(b, i<<4|1)
		b = binary.BigEndian.AppendUint32(b, 1000+i)
	}
	return write(t, filepath.Join(dir, "noise.raw"), b)
}

// uftraceDir returns a small recording from which hostile ones are made.
func uftraceDir(t *testing.T, dir string) string {
	for name, b := range rooted(readTar(t, "../../testdata/uftrace/abc-full/data.tar.gz")) {
		write(t, filepath.Join(dir, "rec", name), b)
	}
	return filepath.Join(dir, "rec")
}

func uftraceSymbols(t *testing.T, dir string) string {
	rec := uftraceDir(t, dir)
	var b bytes.Buffer
	for i := range 1_200_000 {
		fmt.Fprintf(&b, "%016x T f%d\n", 0x1000+16*i, i)
	}
	names, _ := filepath.Glob(filepath.Join(rec, "*.sym"))
	for _, name := range names {
		write(t, name, b.Bytes())
	}
	return rec
}

func uftraceTasks(t *testing.T, dir string) string {
	rec := uftraceDir(t, dir)
	var b bytes.Buffer
	for i := range 600_000 {
		fmt.Fprintf(&b, "FORK timestamp=%d.000000001 pid=%d ppid=%d\n", 1000+i, 100+i, 99+i)
	}
	task := filepath.Join(rec, "task.txt")
	return filepath.Dir(write(t, task, append(readSample(t, task), b.Bytes()...)))
}

// uftraceCalls writes a million functions that call each other, or call nothing.
func uftraceCalls(t *testing.T, dir string) string {
	rec := uftraceDir(t, dir)
	names, _ := filepath.Glob(filepath.Join(rec, "[0-9]*.dat"))
	r := rand.New(rand.NewPCG(1, 2))
	b := readSample(t, names[0])
	now := binary.LittleEndian.Uint64(b)
	var out []byte
	for i := range uint64(1_000_000) {
		depth := i / 4 % 200
		kind := i % 2
		out = binary.LittleEndian.AppendUint64(out, now+i)
		out = binary.LittleEndian.AppendUint64(out, kind|5<<3|depth<<6|r.Uint64N(1<<40)<<16)
	}
	write(t, names[0], out)
	return rec
}

// uftraceDeep writes nested calls, whose lines are much longer than the records.
func uftraceDeep(t *testing.T, dir string) string {
	const deep = 200
	rec := uftraceDir(t, dir)
	names, _ := filepath.Glob(filepath.Join(rec, "[0-9]*.dat"))
	b := readSample(t, names[0])
	now, call := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])>>16<<16
	var out []byte
	for i := range uint64(1_500_000) {
		kind, depth := uint64(0), i%(2*deep)
		if depth >= deep {
			kind, depth = 1, 2*deep-1-depth
		}
		out = binary.LittleEndian.AppendUint64(out, now+i)
		out = binary.LittleEndian.AppendUint64(out, call|depth<<6|5<<3|kind)
	}
	write(t, names[0], out)
	info := filepath.Join(rec, "info")
	b = readSample(t, info)
	features := b[uftraceFeatures:]
	// without events of perf, readers cut the recording into pieces
	binary.LittleEndian.PutUint64(features, binary.LittleEndian.Uint64(features)&^uint64(uftrace.FeatPerfEvent))
	write(t, info, b)
	return rec
}

// uftraceFeatures is the offset of the features in an info file (uftrace.md 1.2).
const uftraceFeatures = 16

// lttngBlock writes sparse files of 256 MiB.
func lttngBlock(t *testing.T, dir string) string {
	tree := rooted(readTar(t, "../../testdata/lttng/synthetic/v26-le64-bigevent.tar.xz"))
	for name, b := range tree {
		file := write(t, filepath.Join(dir, "rec", name), b)
		if !strings.HasPrefix(name, "metadata") {
			if err := os.Truncate(file, 1<<28); err != nil {
				t.Fatal(err)
			}
		}
	}
	return filepath.Join(dir, "rec")
}
