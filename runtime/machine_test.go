package runtime_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// TestMachine: recordings of all systems describe the recording machine in one form.
func TestMachine(t *testing.T) {
	date := func(hour, minute, second int) time.Time {
		return time.Date(2026, 11, 21, hour, minute, second, 0, time.UTC)
	}
	for _, tt := range []struct {
		file string
		want record.Machine
	}{
		{"ftrace/amd64-extract.dat", record.Machine{WordSize: 8, CPUs: 2, Clock: "local", Host: "guest",
			System: "Linux", Release: "6.1.0-50-amd64", Arch: "x86_64"}},
		{"ftrace/amd64-clock-counter.dat", record.Machine{WordSize: 8, CPUs: 2, Clock: "counter", Ticks: true,
			Host: "guest", System: "Linux", Release: "6.1.0-50-amd64", Arch: "x86_64"}},
		{"ftrace/i386-userstack.dat", record.Machine{WordSize: 4, CPUs: 2, Clock: "local", Host: "guest",
			System: "Linux", Release: "6.1.0-50-686-pae", Arch: "i686"}},
		{"ftrace/s390x-markers.dat", record.Machine{BigEndian: true, WordSize: 8, CPUs: 2, Clock: "local",
			Host: "guest", System: "Linux", Release: "6.1.0-50-s390x", Arch: "s390x"}},
		{"aix/shop32.trc", record.Machine{BigEndian: true, WordSize: 4, Clock: "timebase"}},
		{"aix/shop64.trc", record.Machine{BigEndian: true, WordSize: 8, Clock: "timebase"}},
		{"uftrace/args-spec/data.tar.gz", record.Machine{WordSize: 8, CPUs: 2, Host: "demo", System: "Linux",
			Release: "6.1.0-demo", Date: date(2, 1, 12)}},
		{"uftrace/m32/data.tar.gz", record.Machine{WordSize: 4, CPUs: 2, Host: "demo", System: "Linux",
			Release: "6.1.0-demo", Date: date(2, 2, 22), HasWall: true, Wall: 1795224056e9}},
		{"uftrace/big-endian/data.tar.gz", record.Machine{BigEndian: true, WordSize: 8, CPUs: 2, Host: "demo",
			System: "Linux", Release: "6.1.0-demo", Date: date(2, 8, 31)}},
		{"lttng/of lttngTrace", record.Machine{WordSize: 8, CPUs: 3, Clock: "tsc"}},
	} {
		if got := openMachine(t, "../testdata/"+tt.file).Machine(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.file, got, tt.want)
		}
	}
}

// openMachine opens a recording of any system. It unpacks packed ones in memory.
func openMachine(t *testing.T, name string) record.Recording {
	t.Helper()
	var rec record.Recording
	var err error
	switch system, _, _ := strings.Cut(strings.TrimPrefix(name, "../testdata/"), "/"); system {
	case "ftrace":
		rec, err = ftrace.Open(name)
	case "aix":
		rec, err = aix.Open(name)
	case "uftrace":
		rec = openUftrace(t, name)
	case "lttng":
		rec = lttngTrace(t, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}
