package ftrace

import (
	"encoding/binary"
	"fmt"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// OpenTracing reads the descriptions of events in perf.data. They are the parts of a trace.dat of
// version 6 up to the saved command lines, with a version such as 0.6 (perf.md 8). The recording
// has no buffers. Its names and formats serve payloads that are stored elsewhere. release is the
// release of the kernel, if it is known.
func OpenTracing(data []byte, name, release string, opts ...OpenOption) (*Recording, error) {
	src := memorySource(name, data)
	r := &Recording{sources: []*source{src}, memory: memory.New(config(opts).memory)}
	r.info.Name = name
	if release != "" {
		r.info.Uname = "Linux - " + release + " -"
	}
	c := newCursor(src, binary.LittleEndian, 0)
	if string(c.take(int64(len(magic)), "magic")) != magic {
		return nil, src.fail(0, "the magic bytes of tracing data", ErrFormat)
	}
	at := c.off
	version := c.zstring(16, "version")
	if _, err := fmt.Sscanf(version, "0.%d", new(int)); c.err == nil && err != nil {
		return nil, src.fail(at, "version 0.n", fmt.Errorf("%w: version %q", ErrUnsupported, version))
	}
	r.info.Version = 6
	if err := r.machine(c); err != nil {
		return nil, err
	}
	if _, err := r.descriptions(c, version >= "0.6"); err != nil {
		return nil, err
	}
	r.note(c)
	r.finish()
	return r, nil
}
