package summary

import (
	"encoding/binary"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
)

// switches returns perf records of type 14: thread, time, misc (uftrace.md 1.9).
func switches(list ...[3]uint64) []byte {
	le := binary.LittleEndian
	var data []byte
	for _, s := range list {
		data = le.AppendUint16(le.AppendUint16(le.AppendUint32(data, 14), uint16(s[2])), 24)
		data = le.AppendUint64(le.AppendUint32(le.AppendUint32(data, uint32(s[0])), uint32(s[0])), s[1])
	}
	return data
}

// TestProcessors moves a thread from processor 0 to 3 and then 4. Each function has the processors
// of the thread between its begin and its end.
func TestProcessors(t *testing.T) {
	const out = 0x2000
	var files fstest.MapFS
	for _, c := range uftracetest.Cases(t) {
		if c.Name == "lost-exit" { // an exit of any kind
			files = c.Files
		}
	}
	le := binary.LittleEndian
	var calls []byte
	main, a, b, c := uint64(0x560000002004), uint64(0x560000002044), uint64(0x560000002084), uint64(0x5600000020c4)
	for _, r := range [][4]uint64{ // time, kind, address, depth
		{1000, 0, main, 0}, {1100, 0, a, 1}, {1200, 1, a, 1}, {2000, 0, b, 1}, {5000, 1, b, 1}, {6000, 0, c, 1},
		{6100, 1, c, 1}, {9000, 1, main, 0},
	} {
		calls = le.AppendUint64(le.AppendUint64(calls, r[0]), r[1]|5<<3|r[3]<<6|r[2]<<16)
	}
	var tid string
	for name := range files {
		if strings.HasSuffix(name, ".dat") {
			delete(files, name)
		}
	}
	tid = "100"
	info := string(files["info"].Data)
	info = info[:strings.Index(info, "taskinfo:lines")] + "taskinfo:lines=2\ntaskinfo:nr_tid=1\ntaskinfo:tids=" +
		tid + info[strings.Index(info, "\nrecord_date"):]
	head := []byte(info)
	head[17] |= 1 // feature bit 8: perf events
	files["info"] = &fstest.MapFile{Data: head}
	files["task.txt"] = &fstest.MapFile{Data: []byte("SESS timestamp=0.000000500 pid=100 sid=aaaaaaaaaaaaaaaa exename=\"/x/prog\"\nTASK timestamp=0.000000600 tid=100 pid=100\n")}
	files["100.dat"] = &fstest.MapFile{Data: calls}
	fields := Options{Table: Table{Like19: true, Fields: "call,cpu-count,cpu-mask,cpu-list", Sort: "func"}}
	fields.Play.Events.None = true

	unknown := "       Calls  CPU Count  CPU MASK  CPU LIST  Function\n" +
		"  ==========  =========  ========  ========  ====================\n" +
		"           1      -         -         -      a\n" +
		"           1      -         -         -      b\n" +
		"           1      -         -         -      c\n" +
		"           1      -         -         -      main\n"
	if diff := cmp.Diff(unknown, run(t, uftracetest.Open(t, files), fields)); diff != "" {
		t.Error("without perf files:\n", diff)
	}

	files["perf-cpu0.dat"] = &fstest.MapFile{Data: switches([3]uint64{100, 3000, out})}
	files["perf-cpu3.dat"] = &fstest.MapFile{Data: switches([3]uint64{100, 3100, 0}, [3]uint64{100, 4000, out})}
	files["perf-cpu4.dat"] = &fstest.MapFile{Data: switches([3]uint64{100, 4100, 0})}
	want := "       Calls  CPU Count  CPU MASK  CPU LIST  Function\n" +
		"  ==========  =========  ========  ========  ====================\n" +
		"           1      1      00000001     0      a\n" +
		"           1      3      00000019   0,3-4    b\n" +
		"           1      1      00000010     4      c\n" +
		"           1      3      00000019   0,3-4    main\n"
	if diff := cmp.Diff(want, run(t, uftracetest.Open(t, files), fields)); diff != "" {
		t.Error(diff)
	}
	fields.Table.CSV = true
	if got := run(t, uftracetest.Open(t, files), fields); !strings.Contains(got, "\n1,3,00000019,\"0,3-4\",b\n") {
		t.Error(got)
	}
}
