package perf

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/tracec/tracec/runtime/perf"
)

// appendHead appends the lines that tracec info prints about the header: one for each recorded
// fact.
func appendHead(out []byte, i *perf.Info) []byte {
	c, k := &i.Computer, &i.Clock
	line := func(name, format string, args ...any) {
		out = append(fmt.Appendf(append(append(out, name...), ": "...), format, args...), '\n')
	}
	for _, f := range []struct{ name, value string }{
		{"host", i.Host}, {"kernel", i.Release}, {"perf", i.Version}, {"architecture", i.Arch},
		{"processor", i.CPU}, {"processors", processors(i)}, {"command", strings.Join(i.CommandLine, " ")},
		{"compression", compressionOf(i)},
	} {
		if f.value != "" {
			line(f.name, "%s", f.value)
		}
	}
	if c.Memory != 0 {
		line("memory", "%d KiB", c.Memory)
	}
	if k.Wall != 0 {
		line("clock", "%s %d.%09d is %s", cmp.Or(k.Name(), "unknown"), k.Time/1e9, k.Time%1e9,
			time.Unix(0, int64(k.Wall)).UTC().Format(time.RFC3339Nano))
	}
	if i.Last != 0 { // perf record -B does not record it
		line("samples", "%d.%09d to %d.%09d", i.First/1e9, i.First%1e9, i.Last/1e9, i.Last%1e9)
	}
	if n := i.Storage.Traces; n > 0 {
		line("AUX area data", "%d records", n)
	}
	if n := len(i.BPF.Programs); n > 0 {
		line("BPF programs", "%d", n)
	}
	for _, x := range i.Sections {
		switch {
		case !x.Feature.Known():
			line("section "+x.Feature.String(), "%d bytes at %d, unknown", x.Size, x.Offset)
		case x.Damaged:
			line("section "+x.Feature.String(), "%d bytes at %d, damaged", x.Size, x.Offset)
		}
	}
	return out
}

// processors returns the numbers of processors, sockets, cores and nodes.
func processors(i *perf.Info) string {
	if i.CPUs == 0 {
		return ""
	}
	text, c := fmt.Sprintf("%d, %d online", i.CPUs, i.Online), &i.Computer
	if len(c.Cores) > 0 {
		text += fmt.Sprintf("; sockets: %d, cores: %d", len(c.Sockets), len(c.Cores))
	}
	if len(c.Nodes) > 1 {
		text += fmt.Sprintf(", nodes: %d", len(c.Nodes))
	}
	return text
}

func compressionOf(i *perf.Info) string {
	c := &i.Storage.Compression
	if c.Type != perf.Zstd {
		return ""
	}
	return fmt.Sprintf("zstd, level %d, ratio %d", c.Level, c.Ratio)
}
