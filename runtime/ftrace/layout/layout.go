// Package layout describes ftrace recordings to generated decoders: the layout of records according
// to the format files of the recording.
package layout

import (
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// Source describes the events of rec on demand, because there are thousands and decoders need few.
func Source(rec *ftrace.Recording) bind.Source {
	m, formats := rec.Machine(), map[string][]*ftrace.Format{}
	for _, f := range rec.Formats() {
		formats[f.Name] = append(formats[f.Name], f)
	}
	described := map[string][]bind.Event{}
	return func(name string) []bind.Event {
		events, ok := described[name]
		if !ok {
			events = Describe(formats[name], m.BigEndian, m.WordSize)
			described[name] = events
		}
		return events
	}
}

// Carrier is a recording of another recorder with records of tracepoints, such as a perf.data.
type Carrier interface {
	record.Recording
	// Tracing has the descriptions of the tracepoints. It is nil if there are none.
	Tracing() *ftrace.Recording
	// Tracepoints begins to read the records of the tracepoints in the order of time.
	Tracepoints(opts record.Options) *record.Merger[record.None]
	// TracepointSlices returns them in slices. If size is 0, there are several slices for each
	// worker.
	TracepointSlices(opts record.Options, size int64) []record.Slice[record.None]
}

// Of returns rec in the form that decoders read. rec is an *ftrace.Recording or a [Carrier], or
// wraps one.
func Of(rec record.Recording) (bind.Container[record.None], error) {
	if c, err := bind.As[Carrier](rec); err == nil {
		return carried(c), nil
	}
	r, err := bind.As[*ftrace.Recording](rec)
	if err != nil {
		return bind.Container[record.None]{}, err
	}
	return bind.Container[record.None]{
		Recording: r,
		Source:    Source(r),
		Merge: func(o record.Options) *record.Merger[record.None] {
			return r.Merge(ftrace.StreamOptions{Options: o})
		},
		Slices: func(o record.Options, streams bool) []record.Slice[record.None] {
			if streams {
				return r.StreamSlices(ftrace.StreamOptions{Options: o}, 0)
			}
			return r.Slices(ftrace.StreamOptions{Options: o}, 0)
		},
	}, nil
}

func carried(c Carrier) bind.Container[record.None] {
	source := bind.Sources(nil)
	if t := c.Tracing(); t != nil {
		source = Source(t)
	}
	return bind.Container[record.None]{
		Recording: c,
		Source:    source,
		Merge:     c.Tracepoints,
		Slices: func(o record.Options, _ bool) []record.Slice[record.None] {
			return c.TracepointSlices(o, 0)
		},
	}
}

// Describe describes the records of a machine of the given byte order and word size (4 or 8 bytes).
func Describe(formats []*ftrace.Format, bigEndian bool, wordSize int) []bind.Event {
	events := make([]bind.Event, 0, len(formats))
	for _, f := range formats {
		if f.ID >= 0 {
			events = append(events, event(f, bigEndian, wordSize))
		}
	}
	return events
}

func event(f *ftrace.Format, bigEndian bool, wordSize int) bind.Event {
	e := bind.Event{Group: f.System, Name: f.Name, ID: uint32(f.ID), BigEndian: bigEndian,
		Fields: make([]bind.Field, 0, len(f.Fields))}
	tail := false
	for i := range f.Fields {
		if outside(&f.Fields[i]) {
			continue
		}
		for _, b := range describe(f.System, &f.Fields[i], wordSize) {
			if b.Kind == bind.Tail && tail {
				continue // a record has only one end: only the first field that reaches to it is variable
			}
			tail = tail || b.Kind == bind.Tail
			e.Fields = append(e.Fields, b)
			if b.Kind != bind.Tail {
				e.Size = max(e.Size, b.Offset+b.Size)
			}
		}
	}
	return e
}

// maxRecord exceeds the possible data size of an event, as in the compiler.
const maxRecord = 1 << 20

// outside reports whether a field lies outside of any possible record, because the description is
// damaged.
func outside(f *ftrace.Field) bool {
	return f.Offset < 0 || f.Size < 0 || f.Offset > maxRecord || f.Size > maxRecord-f.Offset
}

// describe finds the layout of a field from its declaration, by the rules of the compiler
// (ftrace.md 3.2). Probes record arrays of strings as arrays of length-and-offset words. Each word
// becomes a field. Synthetic events keep one word in a slot of eight bytes.
func describe(system string, f *ftrace.Field, word int) []bind.Field {
	b := bind.Field{Name: f.Name, Offset: f.Offset, Size: f.Size, Signed: f.Signed}
	decl, dims := cutDims(f.Type)
	loc := strings.HasPrefix(decl, "__data_loc ") || strings.HasPrefix(decl, "__rel_loc ")
	if loc {
		b.Rel = decl[2] == 'r'
		_, decl, _ = strings.Cut(decl, " ")
	}
	count, array := words(dims)
	b.Text = isChar(decl)
	b.Elem = elemSize(decl, word)
	structured := isStruct(decl)
	switch {
	case loc && array && f.Size == 4*count:
		return each(b, count)
	case loc && !array && f.Size >= 4:
		b.Kind, b.Size = bind.Dynamic, 4
	case f.Size == 0 && !loc, system == "ftrace" && f.Name == "caller" && len(dims) > 0:
		// The stack events declare eight callers and record any number of them
		// (kernel/trace/trace_entries.h).
		b.Kind, b.Size = bind.Tail, 0
	case len(dims) > 0 && !structured && !loc:
		b.Kind = bind.Array
		if n := product(dims); n > 0 && f.Size%n == 0 && !b.Text {
			b.Elem = f.Size / n
		}
	case structured || loc || f.Size != 1 && f.Size != 2 && f.Size != 4 && f.Size != 8:
		b.Kind, b.Elem, b.Text = bind.Bytes, 1, false
	default:
		b.Kind, b.Elem, b.Text = bind.Int, 0, false
	}
	return []bind.Field{b}
}

// words returns the number of length-and-offset words if a second dimension makes a field an array
// of them. array is false for a single word.
func words(dims []string) (n int, array bool) {
	if len(dims) != 2 {
		return 1, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(dims[1] + dims[0]))
	return n, err == nil && n >= 1 && n <= 64
}

// each returns a field for each of n words.
func each(b bind.Field, n int) []bind.Field {
	all := make([]bind.Field, n)
	for i := range all {
		w := b
		w.Kind, w.Name, w.Offset, w.Size = bind.Dynamic, b.Name+"["+strconv.Itoa(i)+"]", b.Offset+4*i, 4
		all[i] = w
	}
	return all
}

// cutDims removes the dimensions from the end of a type and returns them, the last first. A
// dimension may contain any text, including brackets.
func cutDims(typ string) (base string, dims []string) {
	for strings.HasSuffix(typ, "]") {
		depth, i := 0, len(typ)-1
		for ; i >= 0; i-- {
			if typ[i] == ']' {
				depth++
			} else if typ[i] == '[' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if i < 0 {
			break
		}
		dims = append(dims, typ[i+1:len(typ)-1])
		typ = strings.TrimRight(typ[:i], " \t")
	}
	return typ, dims
}

// product returns the number of elements, or 0 if a dimension is not a plain number.
func product(dims []string) int {
	n := 1
	for _, d := range dims {
		v, err := strconv.Atoi(strings.TrimSpace(d))
		if err != nil || v <= 0 || v > 1<<20 || n > 1<<20 {
			return 0
		}
		n *= v
	}
	return n
}

// isChar distinguishes text from small numbers: char, never u8 or unsigned char.
func isChar(decl string) bool {
	char := false
	for w := range strings.FieldsSeq(decl) {
		switch w {
		case "char":
			char = true
		case "const", "volatile", "__user":
		default:
			return false
		}
	}
	return char
}

// isStruct distinguishes a struct by value from everything else, including pointers to a struct.
func isStruct(decl string) bool {
	if strings.Contains(decl, "*") {
		return false
	}
	for w := range strings.FieldsSeq(decl) {
		if w == "struct" || w == "union" {
			return true
		}
	}
	return false
}

// elemSize returns the size of one element by the name of its type, or 0 if it is unknown. The
// result matters only if compiled and recorded elements may differ in size: between word sizes.
func elemSize(decl string, word int) int {
	if strings.Contains(decl, "*") || strings.Contains(decl, "cpumask_t") {
		return word
	}
	longs := 0
	for w := range strings.FieldsSeq(decl) {
		switch w {
		case "char", "bool", "_Bool":
			return 1
		case "short":
			return 2
		case "long":
			longs++
		case "size_t", "ssize_t", "uintptr_t", "ulong", "phys_addr_t", "dma_addr_t":
			return word
		case "loff_t", "sector_t", "ktime_t", "__be64", "__le64":
			return 8
		}
		if bits, ok := sized(w); ok {
			return bits / 8
		}
	}
	switch {
	case longs == 1:
		return word
	case longs > 1:
		return 8
	}
	for w := range strings.FieldsSeq(decl) {
		if w == "int" || w == "unsigned" || w == "signed" || w == "enum" {
			return 4
		}
	}
	return 0
}

// sized parses u32, __s64, uint8_t and similar names.
func sized(w string) (bits int, ok bool) {
	w = strings.TrimSuffix(strings.TrimLeft(w, "_"), "_t")
	for _, prefix := range []string{"uint", "int", "be", "le", "u", "s"} {
		if digits, found := strings.CutPrefix(w, prefix); found {
			switch digits {
			case "8", "16", "32", "64":
				bits, _ = strconv.Atoi(digits)
				return bits, true
			}
		}
	}
	return 0, false
}
