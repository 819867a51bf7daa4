package scripted

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/tracefile"
)

// layout is the layout of an event's records.
type layout struct {
	id, size int
	format   string // the kernel's description
	fields   []field
}

// field is a field of an event with its offset in the record.
type field struct {
	name         string
	offset, size int // for an array: of each element
	text         bool
}

// sizes holds the sizes of the types of fields, on a machine of 64 bits.
var sizes = map[string]int{
	"char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned int": 4, "pid_t": 4, "dev_t": 4,
	"bool": 1,
	"long": 8, "unsigned long": 8, "s64": 8, "u64": 8, "u32": 4, "size_t": 8, "sector_t": 8, "void *": 8,
	"const char *": 8, "ktime_t": 8,
}

// signed returns the kernel's value of signed for a type.
func signed(typ string) int {
	switch typ {
	case "char", "short", "int", "pid_t", "long", "s64", "ktime_t":
		return 1
	}
	return 0
}

// place lays out the fields of an event, as a C compiler does.
func place(t testing.TB, e Event, id int) *layout {
	t.Helper()
	var b strings.Builder
	l := &layout{id: id}
	offset := 8
	for decl := range strings.SplitSeq(e.Fields, ", ") {
		at := strings.LastIndexAny(decl, " *")
		typ, name, count := strings.TrimSpace(decl[:at+1]), decl[at+1:], 1
		declared := name
		if base, n, ok := strings.Cut(name, "["); ok {
			name = base
			count, _ = strconv.Atoi(strings.TrimSuffix(n, "]"))
		}
		one := sizes[typ]
		if one == 0 {
			t.Fatalf("%s: a field of type %q", e.Name, typ)
		}
		offset = (offset + one - 1) / one * one
		fmt.Fprintf(&b, "\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", typ, declared, offset, one*count,
			signed(typ))
		f := field{name, offset, one, typ == "char" && count > 1}
		offset += one * count
		if f.text {
			f.size = count
		}
		l.fields = append(l.fields, f)
	}
	l.size = (offset + 3) / 4 * 4
	print := e.Print
	if print == "" {
		print = `""`
	}
	header, _, _ := strings.Cut(tracefile.Format(e.Name, id), "\tfield:int value")
	l.format = fmt.Sprintf("%s%s\nprint fmt: %s\n", header, b.String(), print)
	return l
}

// record returns the record of a line.
func (e *layout) record(t testing.TB, m tracefile.Machine, l *line) []byte {
	t.Helper()
	b := make([]byte, e.size)
	copy(b, m.Payload(uint16(e.id), l.task))
	b[2] = l.flags
	ordered := 0
	for i, v := range l.values {
		at := slices.IndexFunc(e.fields, func(f field) bool { return f.name == v.field })
		if v.field == "" {
			at = i
			ordered++
		}
		if at < 0 || at >= len(e.fields) {
			t.Fatalf("%s has no field for %v", l.name, v)
		}
		e.fields[at].put(t, m, b, v.text)
	}
	if ordered != 0 && ordered != len(e.fields) {
		t.Fatalf("%s has other fields than %v", l.name, l.values)
	}
	if l.cut {
		b = b[:8+(len(b)-8)/2&^3]
	}
	return b
}

// put puts a value into a record.
func (f *field) put(t testing.TB, m tracefile.Machine, b []byte, text string) {
	t.Helper()
	if f.text {
		copy(b[f.offset:f.offset+f.size-1], text)
		return
	}
	for i, text := range strings.Split(text, ",") {
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			u, failed := strconv.ParseUint(text, 0, 64)
			if failed != nil {
				t.Fatal(f.name, err)
			}
			n = int64(u)
		}
		copy(b[f.offset+i*f.size:][:f.size], m.Order().AppendUint64(nil, uint64(n)))
	}
}
