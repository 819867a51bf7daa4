package program

import (
	"cmp"
	"debug/dwarf"
	"errors"
	"io"
	"slices"
)

// unit is a unit of debugging information: a source file and the files that it includes.
type unit struct {
	rows      []row
	files     []string
	functions []function // by low
	calls     []inlined  // of all functions
}

// row is a line of the table of lines. It applies to the code up to the next row.
type row struct {
	addr uint64
	file int32 // in files; -1 for the end of a sequence
	line int32
}

// function is a range of the code of a function.
type function struct {
	low, high   uint64
	start       int
	first, last int // range of its calls
}

// inlined is a range of the code of a call that was inlined. Calls within a call come after it.
type inlined struct {
	low, high uint64
	name      string
	start     int
	file      string // file of the call
	line      int
}

// The memory of the parts of a unit.
const (
	rowSize     = 16
	scopeSize   = 96
	mostScopes  = 1 << 20 // of a unit
	mostNested  = 512     // nesting of entries
	mostOrigins = 8       // length of a chain of entries that leads to a name
)

var errDwarf = errors.New("damaged")

// unit reads the unit whose first entry is at an offset.
func (d *dwarfInfo) unit(at dwarf.Offset) (*unit, error) {
	r := d.data.Reader()
	r.Seek(at)
	first, err := r.Next()
	if err != nil {
		return nil, err
	}
	u := &unit{}
	lines, err := d.data.LineReader(first)
	if err != nil {
		return nil, err
	}
	if lines != nil {
		if err := u.read(lines, d); err != nil {
			return nil, err
		}
	}
	w := walk{info: d, unit: u, reader: r, named: map[dwarf.Offset]origin{}}
	if lines != nil {
		w.files = lines.Files()
	}
	if err := w.all(first); err != nil {
		return nil, err
	}
	slices.SortFunc(u.functions, func(a, b function) int { return cmp.Compare(a.low, b.low) })
	return u, nil
}

// read reads the table of lines.
func (u *unit) read(r *dwarf.LineReader, d *dwarfInfo) error {
	numbers := map[*dwarf.LineFile]int32{}
	var x dwarf.LineEntry
	for {
		err := r.Next(&x)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if len(u.rows) == cap(u.rows) {
			more := max(256, len(u.rows))
			if err := d.memory.Take(int64(more) * rowSize); err != nil {
				return err
			}
			u.rows = slices.Grow(u.rows, more)
		}
		y := row{addr: x.Address, line: int32(x.Line), file: -1}
		if x.File != nil && !x.EndSequence {
			n, ok := numbers[x.File]
			if !ok {
				n = int32(len(u.files))
				numbers[x.File], u.files = n, append(u.files, x.File.Name)
			}
			y.file = n
		}
		u.rows = append(u.rows, y)
	}
	// the end of a sequence comes before the begin of the next one
	slices.SortStableFunc(u.rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.addr, b.addr), cmp.Compare(min(a.file, 0), min(b.file, 0)))
	})
	return nil
}

// line returns the place in the source of an address.
func (u *unit) line(addr uint64) (file string, line int) {
	i, _ := slices.BinarySearchFunc(u.rows, addr, func(x row, a uint64) int {
		if x.addr <= a {
			return -1
		}
		return 1
	})
	if i == 0 || u.rows[i-1].file < 0 {
		return "", 0
	}
	return u.files[u.rows[i-1].file], int(u.rows[i-1].line)
}

// find returns the lines of an address, or nil if the unit has none.
func (u *unit) find(addr uint64) (list []Line) {
	file, line := u.line(addr)
	var f function
	i, _ := slices.BinarySearchFunc(u.functions, addr, func(x function, a uint64) int {
		if x.low <= a {
			return -1
		}
		return 1
	})
	if i > 0 && addr < u.functions[i-1].high {
		f = u.functions[i-1]
	}
	if file == "" && f.high == 0 {
		return nil
	}
	calls := u.calls[f.first:f.last]
	for i := range slices.Backward(calls) {
		if c := &calls[i]; c.low <= addr && addr < c.high && len(list) < mostInlined {
			list = append(list, Line{Function: c.name, File: file, Line: line, Start: c.start})
			file, line = c.file, c.line
		}
	}
	return append(list, Line{File: file, Line: line, Start: f.start})
}
