package lttng

import (
	"encoding/binary"
	"testing"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// fuzzed opens a trace with one file of any bytes, beside an intact one.
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

// FuzzXML reads any description.
func FuzzXML(f *testing.F) {
	f.Add([]byte(fsXML))
	f.Add([]byte(`<facility name="f"><event name="e"><field name="x"><array size="3"><struct><field name="y"><long/></field></struct></array></field></event></facility>`))
	f.Add([]byte(`<facility name="f"><event name="e"><field name="x"><sequence><uint/><union><field name="a"><float size="4"/></field><field name="b"><ulong/></field></union></sequence></field></event></facility>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := parseXML("f.xml", text, memory.New(0).Lease())
		if err != nil {
			return
		}
		events, err := describeFacility("f.xml", root, describer{sizes: sizes{4, 8, 8, 8, 8}, pad: 8})
		for _, e := range events {
			if (e.fields == nil) != (e.err != nil) || e.err != nil && err == nil {
				t.Fatalf("event %s: %v, %v, %v", e.name, e.fields, e.err, err)
			}
			m := &Marker{Fields: e.fields}
			m.finish()
			for i := range e.fields {
				e.fields[i].extent(text, 0, binary.LittleEndian)
			}
		}
	})
}
