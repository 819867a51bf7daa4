package uftrace_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/runtime/uftrace"
)

// TestOldVersions: recordings of 2013 and 2014 (uftrace.md 1.1) are recognised by their version.
func TestOldVersions(t *testing.T) {
	refused := func(files fstest.MapFS, want string) {
		t.Helper()
		_, err := uftrace.OpenFS(files, "old")
		if !errors.Is(err, uftrace.ErrVersion) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for version, size := range map[uint32]int{1: 32, 2: 48} {
		info := binary.LittleEndian.AppendUint32([]byte("Ftrace!\x00"), version)
		info = append(info, make([]byte, max(size, 40)-len(info))...)
		refused(fstest.MapFS{"info": {Data: info}}, "before 0.2")
	}

	files := load(t, "v3-binary-task")
	if _, err := uftrace.OpenFS(files, "old"); err != nil {
		t.Error("records of 16 bytes: ", err)
	}
	for name := range files {
		if strings.HasSuffix(name, ".dat") && !strings.HasPrefix(name, "perf") {
			var data []byte
			for i := range uint64(4) { // two addresses, start, end, time of calls below, thread and depth
				for _, v := range []uint64{0x400680 + 16*i, 0x400730 + 16*i, 1e9 + 100*i, 1e9 + 1000*i, 50 * i,
					5437 | i<<32} {
					data = binary.LittleEndian.AppendUint64(data, v)
				}
			}
			files[name] = &fstest.MapFile{Data: data}
		}
	}
	refused(files, "uftrace 0.2 or 0.3")
}
