package perf_test

import (
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/testkit/perftest"
	"github.com/tracec/tracec/report/perf"
	recorded "github.com/tracec/tracec/runtime/perf"
)

// TZ=UTC perf report --header-only [-I] -i FILE, version 6.1.187, printed the texts of
// testdata/headers. It refuses the features of pipes in the other byte order. So the text of
// pipe-big is the text of pipe.
var headerFiles = flag.String("headers", "", "write the recordings of TestMadeHeader to this `directory`, for perf")

var little, big = binary.LittleEndian, binary.BigEndian

// feature is a section of a made recording: its number and its parts.
type feature struct {
	number int
	parts  []any // numbers, texts, bytes
}

// makeHeader makes a recording of two events, without samples, that has the sections.
func makeHeader(order binary.AppendByteOrder, sections []feature) []byte {
	const (
		attrSize = 128
		entry    = attrSize + 16
		ids      = 104 + 2*entry
		data     = ids + 16
		round    = 68
	)
	var set uint64
	for _, s := range sections {
		set |= 1 << s.number
	}
	put := func(dst []byte, parts ...any) []byte { return appendParts(order, dst, parts) }
	magic := map[bool]string{true: "PERFILE2", false: "2ELIFREP"}[order.String() == "LittleEndian"]
	b := append([]byte(nil), magic...)
	b = put(b, uint64(104), uint64(entry), uint64(104), uint64(2*entry), uint64(data), uint64(8),
		uint64(0), uint64(0), set, uint64(0), uint64(0), uint64(0))
	for n := range uint64(2) {
		b = put(append(b, madeAttr(order)...), ids+8*n, uint64(8))
	}
	b = put(b, uint64(7), uint64(8))
	b = put(b, uint32(round), uint16(0), uint16(8))
	at := uint64(len(b) + 16*len(sections))
	var contents []byte
	for _, s := range sections {
		content := put(nil, s.parts...)
		b = put(b, at+uint64(len(contents)), uint64(len(content)))
		contents = append(contents, content...)
	}
	return append(b, contents...)
}

// makePipe makes the recording of a pipe with the sections as records.
func makePipe(order binary.AppendByteOrder, sections []feature) []byte {
	const (
		ofAttr, ofFeature = 64, 80
		last              = 32 // after the last one that perf 6.1 knows
	)
	magic := map[bool]string{true: "PERFILE2", false: "2ELIFREP"}[order.String() == "LittleEndian"]
	b := appendParts(order, []byte(magic), []any{uint64(16)})
	record := func(kind uint32, parts ...any) {
		body := appendParts(order, nil, parts)
		b = append(appendParts(order, b, []any{kind, uint16(0), uint16(8 + len(body))}), body...)
	}
	for id := range uint64(2) {
		record(ofAttr, madeAttr(order), 7+id)
	}
	for _, s := range sections {
		if s.number == 18 { // perf reads the index of AUXTRACE records only in files
			continue
		}
		content := appendParts(order, nil, s.parts)
		for len(content)%8 != 0 {
			content = append(content, 0)
		}
		if len(content) > 0 {
			record(ofFeature, uint64(s.number), content)
		}
	}
	record(ofFeature, uint64(last))
	return b
}

// madeAttr is the attribute of cpu-clock.
func madeAttr(order binary.AppendByteOrder) []byte {
	const sampleType = uint64(recorded.HasIP | recorded.HasTID | recorded.HasTime | recorded.HasIdentifier)
	b := appendParts(order, nil, []any{uint32(recorded.Software), uint32(128), uint64(0), uint64(100), sampleType})
	return append(b, make([]byte, 128-len(b))...)
}

func appendParts(order binary.AppendByteOrder, dst []byte, parts []any) []byte {
	for _, p := range parts {
		switch p := p.(type) {
		case uint16:
			dst = order.AppendUint16(dst, p)
		case int:
			dst = order.AppendUint32(dst, uint32(p))
		case uint32:
			dst = order.AppendUint32(dst, p)
		case uint64:
			dst = order.AppendUint64(dst, p)
		case string: // its length is rounded up
			n := (len(p) + 64) / 64 * 64
			dst = append(append(order.AppendUint32(dst, uint32(n)), p...), make([]byte, n-len(p))...)
		case []byte:
			dst = append(dst, p...)
		}
	}
	return dst
}

// everyFeature returns each feature of perf 6.1 except tracing data and programs. All values
// differ.
func everyFeature(order binary.AppendByteOrder) []feature {
	return []feature{
		{3, []any{"machine"}}, {4, []any{"6.1.0"}}, {5, []any{"6.1.187"}}, {6, []any{"s390x"}}, {7, []any{4, 3}},
		{8, []any{"A processor"}}, {9, []any{"Maker,1,2"}}, {10, []any{uint64(123456)}},
		{11, []any{5, "/usr/bin/perf", "record", "-e", "it's 'quoted'", ""}},
		{12, []any{2, 128, madeAttr(order), 1, "cpu-clock", uint64(7), madeAttr(order), 1, "other:u", uint64(8)}},
		{13, []any{2, "0-1", "2-3", 1, "0-3", 0, 0, 1, 0, 2, 1, -1, -1, 2, "0-1", "2-3", 0, 1, 2, -1}},
		{14, []any{2, 0, uint64(1000), uint64(10), "0-1", 5, uint64(2000), uint64(20), "2-3"}},
		{15, nil},
		{16, []any{2, 1, "software", -2, "tool"}},
		{17, []any{1, "name", 0, 2}},
		{18, []any{uint64(1), uint64(100), uint64(200)}},
		{19, nil},
		{20, []any{1, 2, 1, 64, 8, 16, "Data", "32K", "0-1",
			3, 64, 16384, 16, "Unified and long name", "16384K", "0-3"}},
		{21, []any{uint64(1234567891), uint64(2345678999)}},
		{22, []any{uint64(1), uint64(0x8000000), uint64(2),
			uint64(0), uint64(70), uint64(70), uint64(0x8000000000000007), uint64(0x21),
			uint64(1000), uint64(3), uint64(3), uint64(6)}},
		{23, []any{uint64(4000000)}},
		{27, []any{1, 1, 22, 7, 4096}},
		{28, []any{2, "branches", "32", "max_precise", "3"}},
		{29, []any{1, 11, uint64(1700000000123456789), uint64(5000000001)}},
		{30, []any{2, "cpu_core", "0-1", "cpu_atom", "2-3"}},
		{31, []any{2, 1, "branches", "32", "cpu_core", 2, "a", "", "b", "c=d", "cpu_atom"}},
	}
}

// emptyFeatures returns sections with empty lists, and sections in the forms of older versions.
func emptyFeatures(order binary.AppendByteOrder) []feature {
	return []feature{
		{3, []any{""}}, {7, []any{2, 2}}, {11, []any{0}}, {12, []any{0, 128}},
		{13, []any{1, "0-1", 2, "0", "1", 3, 0, 4, 1}}, {14, []any{0}}, {17, []any{0}}, {18, []any{uint64(0)}},
		{20, []any{1, 0}}, {21, []any{uint64(5), uint64(3)}}, {22, []any{uint64(1), uint64(4096), uint64(0)}},
		{25, []any{0}}, {26, []any{0}}, {27, []any{0, 0, 0, 0, 0}}, {28, []any{0}},
		{29, []any{1, 3, uint64(1), uint64(2)}}, {30, []any{0}}, {31, []any{0}},
	}
}

// programFeatures returns BPF programs with and without type information.
func programFeatures(order binary.AppendByteOrder) []feature {
	put := func(parts ...any) []byte { return appendParts(order, nil, parts) }
	fixed := func(s string, n int) []byte { return append([]byte(s), make([]byte, n-len(s))...) }
	// struct bpf_prog_info; its pointers are offsets in the arrays after it
	info := func(id int, name string, n int, types, funcs int) []byte {
		b := put(5, id, []byte("TAGOFIT!"), 0, 0, uint64(0), uint64(0), uint64(0), 0, 0, uint64(0), fixed(name, 16),
			0, 1, uint64(0), uint64(0), n, n, uint64(0), uint64(8*n), types, 8, uint64(20*n), funcs, 0, uint64(0),
			uint64(0), 0, 0, 0, n, uint64(12*n))
		return append(b, make([]byte, 232-len(b))...)
	}
	arrays := func(n int, funcs ...any) []byte {
		var b []byte
		for i := range n {
			b = append(b, put(uint64(0xffffffffc0000000+uint64(i)*0x1000))...)
		}
		for i := range n {
			b = append(b, put(100+i)...)
		}
		for i := range n {
			b = append(b, fixed("\x01\xabtag", 8)[:8]...)
			b[len(b)-1] = byte(i)
		}
		return append(b, put(funcs...)...)
	}
	const present = 1<<3 | 1<<4 | 1<<5 | 1<<8 // addresses, sizes, functions, tags
	program := func(info, arrays []byte) []byte { return put(len(info), len(arrays), uint64(present), info, arrays) }
	names := "\x00int\x00first_function\x00second\x00"
	types := put(1, 1<<24, 4, 0, // INT
		0, 13<<24|1, 1, 0, 1, // FUNC_PROTO of one parameter
		5, 12<<24, 2, 20, 12<<24, 2) // FUNC
	btf := put(uint16(0xeb9f), []byte{1, 0}, 24, 0, len(types), len(types), len(names), types, []byte(names))
	return []feature{
		{3, []any{"bpf"}},
		{25, []any{4, program(info(10, "plain", 1, 0, 0), arrays(1)), program(info(11, "unknown", 2, 0, 0), arrays(2)),
			program(info(12, "short", 2, 3, 2), arrays(2, 0, 3, 40, 4)), program(info(13, "", 1, 99, 0), arrays(1))}},
		{26, []any{2, 3, len(btf), btf, 4, 3, []byte("abc")}},
	}
}

// TestMadeHeader compares the headers of recordings that have every section with perf's texts.
func TestMadeHeader(t *testing.T) {
	utc(t)
	for _, c := range []struct {
		name     string
		order    binary.AppendByteOrder
		file     func(binary.AppendByteOrder, []feature) []byte
		sections func(binary.AppendByteOrder) []feature
	}{
		{"every", little, makeHeader, everyFeature}, {"every-big", big, makeHeader, everyFeature},
		{"empty", little, makeHeader, emptyFeatures}, {"programs", little, makeHeader, programFeatures},
		{"pipe", little, makePipe, everyFeature}, {"pipe-big", big, makePipe, everyFeature},
	} {
		s := &perftest.Sample{Group: "made", Name: c.name, Data: c.file(c.order, c.sections(c.order))}
		if *headerFiles != "" {
			if err := os.WriteFile(filepath.Join(*headerFiles, c.name+".data"), s.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		for suffix, text := range map[string]perf.HeaderText{"": perf.FullHeader, "-short": perf.Header} {
			want, err := os.ReadFile(filepath.Join("testdata/headers", c.name+suffix+".txt"))
			if err != nil {
				t.Error(err)
				continue
			}
			compareHeader(t, s, string(want), "6.1", text)
		}
	}
}
