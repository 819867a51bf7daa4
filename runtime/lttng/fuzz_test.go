package lttng

import (
	"testing"

	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/runtime/internal/memory"
)

// fuzzed runs a file of any bytes through a trace whose other file is sound.
func fuzzed(f *testing.F, pick func(data, meta string) string) {
	type base struct {
		mem        *traceFiles
		data, name string
	}
	var bases []base
	for i, l := range smallLayouts {
		mem, data, meta := smallTrace(f, l)
		name := pick(data, meta)
		bases = append(bases, base{mem, data, name})
		b := mem.files[name].Data
		f.Add(uint8(i), b)
		f.Add(uint8(i), b[:len(b)/2])
		f.Add(uint8(i), b[:min(len(b), 300)])
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		x := bases[int(which)%len(bases)]
		rec, err := OpenFS(x.mem.put(x.name, b).files, "trace")
		if err != nil {
			return
		}
		events := read(t, rec)
		var size int
		for _, f := range x.mem.files {
			size += len(f.Data)
		}
		if len(events) > (size+len(b))/4 {
			t.Fatalf("%d events in %d bytes", len(events), size+len(b))
		}
		for _, d := range rec.Damage() {
			if d.Offset < 0 || d.Skipped < 0 || d.Err == nil || d.File == "" {
				t.Fatalf("%+v", d)
			}
		}
	})
}

// FuzzChannel damages a file of events.
func FuzzChannel(f *testing.F) { fuzzed(f, func(data, _ string) string { return data }) }

// FuzzMetadata damages the descriptions.
func FuzzMetadata(f *testing.F) { fuzzed(f, func(_, meta string) string { return meta }) }

// FuzzFormat lays out any text, and compares with the compiler.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{
		"ip %lu handler %p irq_id #2u%u", "irqstate #1%d", " ", "%% ## %d", "rw(FLAG,FLAG) %lX", "a #n2u%hu b #8u%llu c %s d #1x%c", "%", "#", "#n", "#8", "%l", "a %hhd", "#b4u%u %s",
		"channel %s name %s event_id %hu int #1u%zu long #1u%zu pointer #1u%zu size_t #1u%zu alignment #1u%u", "x %{unknown}", "\x00\xff#\xff%d",
	} {
		f.Add(s, uint8(4))
	}
	f.Fuzz(func(t *testing.T, format string, align uint8) {
		s := sizes{int: 4, long: 8, pointer: 8, sizeT: 8, alignment: 1 << (align % 4) &^ 1}
		fields, mine := layOut(format, s, align&16 != 0)
		if len(format) > maxFormat {
			return
		}
		_, theirs := compiler.Compile(compiler.Marker{Name: "m", Format: format, Int: s.int, Long: s.long, Pointer: s.pointer, SizeT: s.sizeT, Alignment: s.alignment}, compiler.Rules{})
		if (mine == nil) != (theirs == nil) {
			t.Fatalf("%q: %v, but the compiler says: %v", format, mine, theirs)
		}
		for _, x := range fields {
			if x.Align < 1 || x.Align&(x.Align-1) != 0 || x.Size < 0 || x.Size > 8 {
				t.Fatalf("%q: %+v", format, x)
			}
		}
	})
}

// FuzzXML reads any description.
func FuzzXML(f *testing.F) {
	f.Add([]byte(fsXML))
	f.Add([]byte(`<facility name="f"><event name="e"><field name="x"><array size="3"><struct><field name="y"><long/></field></struct></array></field></event></facility>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := parseXML("f.xml", text, memory.New(0).Lease())
		if err != nil {
			return
		}
		s := sizes{4, 8, 8, 8, 8}
		events, err := describeFacility("f.xml", root, facility{name: "f", sizes: s}, 8)
		for _, e := range events {
			if _, bad := layOut(e.format, s, false); bad != nil && err == nil {
				t.Fatalf("event %s: %q: %v", e.name, e.format, bad)
			}
		}
	})
}
