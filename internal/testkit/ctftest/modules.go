package ctftest

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// Modules returns a trace of lttng-modules. Each line is an event: CPU TIME NAME FIELD=VALUE …
// Values are integers of 64 bits, or texts of 16 bytes in quotes, without blanks. Events with the
// same name have the same fields. Each processor has its own file.
func Modules(t testing.TB, script string) fs.FS {
	t.Helper()
	const integer = "integer { size = 64; align = 8; signed = true; }"
	var tsdl strings.Builder
	fmt.Fprintf(&tsdl, `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
env { domain = "kernel"; tracer_name = "lttng-modules"; sysname = "Linux"; };
clock { name = monotonic; freq = 1000000000; };
stream {
	packet.context := struct { %[1]s cpu_id; };
	event.header := struct { %[1]s id; integer { size = 64; align = 8; map = clock.monotonic.value; } timestamp; };
};
`, integer)
	files, ids := fstest.MapFS{}, map[string]uint64{}
	for line := range strings.Lines(strings.TrimSpace(script)) {
		words := strings.Fields(line)
		var cpu, time uint64
		if _, err := fmt.Sscan(words[0]+" "+words[1], &cpu, &time); err != nil {
			t.Fatal(line, err)
		}
		name, fields := words[2], ""
		id, known := ids[name]
		if !known {
			id = uint64(len(ids))
			ids[name] = id
		}
		file := fmt.Sprint("channel0_", cpu)
		if files[file] == nil {
			files[file] = &fstest.MapFile{Data: binary.LittleEndian.AppendUint64(nil, cpu)}
		}
		data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(files[file].Data, id), time)
		for _, w := range words[3:] {
			field, value, _ := strings.Cut(w, "=")
			if text, ok := strings.CutPrefix(value, `"`); ok {
				data = append(data, append([]byte(strings.TrimSuffix(text, `"`)), make([]byte, 16)...)[:16]...)
				fields += "integer { size = 8; align = 8; encoding = UTF8; } _" + field + "[16]; "
				continue
			}
			var n int64
			if _, err := fmt.Sscan(value, &n); err != nil {
				t.Fatal(line, err)
			}
			data, fields = binary.LittleEndian.AppendUint64(data, uint64(n)), fields+integer+" _"+field+"; "
		}
		files[file].Data = data
		if !known {
			fmt.Fprintf(&tsdl, "event { name = %q; id = %d; stream_id = 0; fields := struct { %s}; };\n", name, id,
				fields)
		}
	}
	files["metadata"] = &fstest.MapFile{Data: []byte(tsdl.String())}
	return files
}
