package uftracetest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// Case is a made-up recording with the outputs of uftrace 0.13.
type Case struct {
	Name  string
	Files fstest.MapFS
	// Outputs are the outputs by command line, in the order of the file.
	Outputs []Output
}

// Output is the output of a command.
type Output struct {
	Args []string // such as report --task
	Text string
}

// Cases reads the made-up recordings of testdata. A recording is written in the text form of its
// files. The file of a thread has lines of time, kind, function, address, event or number of lost
// records, depth. The file of perf has lines of time, event, thread. NUMBER.absent means that info
// names a thread without a file.
func Cases(t testing.TB) []Case {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(needs.Root(t), "internal", "testkit", "uftracetest", "testdata",
		"*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases: ", err)
	}
	var cases []Case
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := Case{Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), Files: fstest.MapFS{}}
		if err := c.fill(archive); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		cases = append(cases, c)
	}
	return cases
}

const (
	moduleBase  = 0x560000000000
	recordMagic = 5 << 3
)

// functions are the symbols of the program of every case, by address.
var functions = func() []function {
	var list []function
	for i, name := range []string{"fork", "vfork", "daemon", "_setjmp", "longjmp", "execl", "exit", "getpid", "sleep"} {
		list = append(list, function{0x1030 + 16*uint64(i), 'P', name})
	}
	list = append(list, function{0x1800, '?', "__dynsym_end"})
	for i, name := range []string{"main", "a", "b", "c", "d", "e", "f", "g"} {
		list = append(list, function{0x2000 + 64*uint64(i), 'T', name})
	}
	return append(list, function{0x2400, '?', "__func_end"})
}()

type function struct {
	addr uint64
	kind byte
	name string
}

func (c *Case) fill(archive *txtar.Archive) error {
	var tids []string
	perf := false
	for _, f := range archive.Files {
		var data []byte
		var err error
		switch name := f.Name; {
		case name == "task.txt":
			data = f.Data
		case strings.HasSuffix(name, ".absent"):
			tids = append(tids, strings.TrimSuffix(name, ".absent"))
			continue
		case strings.HasPrefix(name, "perf-cpu"):
			perf = true
			data, err = perfFile(f.Data)
		case strings.HasSuffix(name, ".dat"):
			tids = append(tids, strings.TrimSuffix(name, ".dat"))
			data, err = threadFile(f.Data)
		default:
			c.Outputs = append(c.Outputs, Output{strings.Fields(name), string(f.Data)})
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		c.add(f.Name, data)
	}
	c.add("info", infoFile(tids, perf))
	programMap := fmt.Appendf(nil,
		"%x-%x r-xp 00000000 00:00 0                          /x/prog\n7ffdc17c2000-7ffdc17e3000 rw-p 00000000 00:00 0                          [stack]\n",
		uint64(moduleBase), uint64(moduleBase+0x5000))
	for _, m := range sessionID.FindAllSubmatch(c.Files["task.txt"].Data, -1) {
		c.add("sid-"+string(m[1])+".map", programMap)
	}
	symbols := fmt.Appendf(nil, "# symbols: %d\n# path name: /x/prog\n", len(functions))
	for _, f := range functions {
		symbols = fmt.Appendf(symbols, "%016x %c %s\n", f.addr, f.kind, f.name)
	}
	c.add("prog.sym", symbols)
	return nil
}

func (c *Case) add(name string, data []byte) {
	c.Files[name] = &fstest.MapFile{Data: data, Mode: fs.FileMode(0o644)}
}

func infoFile(tids []string, perf bool) []byte {
	features, fields := uint64(0x63), uint64(1<<0|1<<2|1<<3|1<<7|1<<11|1<<12|1<<13)
	if perf {
		features |= 0x100
	}
	data := append([]byte("Ftrace!\x00"), 4, 0, 0, 0, 40, 0, 1, 2)
	data = binary.LittleEndian.AppendUint64(data, features)
	data = binary.LittleEndian.AppendUint64(data, fields)
	data = append(data, 0, 4, 0, 0, 0, 0, 0, 0)
	return fmt.Appendf(data, "exename:/x/prog\nexit_status:0\ncmdline:uftrace record prog\ntaskinfo:lines=2\ntaskinfo:nr_tid=%d\ntaskinfo:tids=%s\n"+
		"record_date:Sat Nov 21 10:45:09 2026\nelapsed_time:0.014183796 sec\npattern_type:regex\nuftrace_version:v0.13 ( x86_64 )\n",
		len(tids), strings.Join(tids, ","))
}

// threadFile converts lines such as `2100 entry a 1` to records.
func threadFile(text []byte) ([]byte, error) {
	kinds := map[string]uint64{"entry": 0, "exit": 1, "lost": 2, "event": 3}
	var data []byte
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var time, depth uint64
		var kind, what string
		if _, err := fmt.Sscan(lines.Text(), &time, &kind, &what, &depth); err != nil {
			return nil, fmt.Errorf("%q: %w", lines.Text(), err)
		}
		addr, err := address(what, kind)
		if err != nil {
			return nil, err
		}
		data = binary.LittleEndian.AppendUint64(data, time)
		data = binary.LittleEndian.AppendUint64(data, kinds[kind]|recordMagic|depth<<6|addr<<16)
	}
	return data, nil
}

func address(what, kind string) (uint64, error) {
	if kind == "lost" || kind == "event" {
		return strconv.ParseUint(what, 10, 48)
	}
	for _, f := range functions {
		switch {
		case f.name != what:
		case f.kind == 'T':
			return moduleBase + f.addr + 4, nil // after the prologue
		default:
			return moduleBase + f.addr, nil
		}
	}
	return strconv.ParseUint(what, 16, 48)
}

// sessionID matches the sessions of task.txt, which all run the same program.
var sessionID = regexp.MustCompile(`sid=(\w{16})`)

var named = regexp.MustCompile(`^name=(\w+)$`)

// perfFile converts lines such as `2300 out 100` to records of perf.
func perfFile(text []byte) ([]byte, error) {
	le := binary.LittleEndian
	misc := map[string]uint16{"in": 0, "out": 0x2000, "pre-empt": 0x6000}
	var data []byte
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var time uint64
		var tid uint32
		var event string
		if _, err := fmt.Sscan(lines.Text(), &time, &event, &tid); err != nil {
			return nil, fmt.Errorf("%q: %w", lines.Text(), err)
		}
		m, schedule := misc[event]
		name := named.FindStringSubmatch(event)
		switch {
		case schedule:
			data = le.AppendUint16(le.AppendUint16(le.AppendUint32(data, 14), m), 24)
			data = le.AppendUint64(le.AppendUint32(le.AppendUint32(data, tid), tid), time)
		case name != nil:
			data = le.AppendUint16(le.AppendUint16(le.AppendUint32(data, 3), 0), 48)
			data = le.AppendUint32(le.AppendUint32(data, tid), tid)
			data = append(data, append([]byte(name[1]), make([]byte, 16-len(name[1]))...)...)
			data = le.AppendUint64(le.AppendUint32(le.AppendUint32(data, tid), tid), time)
		case event == "exit", event == "new":
			kind := uint32(4)
			if event == "new" {
				kind = 7
			}
			data = le.AppendUint16(le.AppendUint16(le.AppendUint32(data, kind), 0), 48)
			for _, id := range []uint32{tid, tid, tid, tid} {
				data = le.AppendUint32(data, id)
			}
			data = le.AppendUint64(data, time)
			data = le.AppendUint64(le.AppendUint32(le.AppendUint32(data, tid), tid), time)
		default:
			return nil, fmt.Errorf("unknown event %q", event)
		}
	}
	return data, nil
}
