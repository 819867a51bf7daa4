package trcrpt

import (
	"github.com/tracec/tracec/runtime/render"
)

// line holds the values of the columns before a text.
type line struct {
	id      string
	code    uint32 // the id in the form of idCode
	tid     uint64
	elapsed int64 // ns
	delta   int64 // ns
	state
}

// state holds the values of columns that rarely change. Numbers below 0 are unknown and leave their
// column blank.
type state struct {
	process  string
	path     string // path of the program, for -x
	cpu      int
	reported int // number of processors that still have events
	pid      int64
	depth    int // depth of nested interrupts
	svc      string
	file     string
	purr     uint64
	hasPURR  bool
}

// field is one of the columns.
type field uint8

// The columns in their order (aix.md 5.1).
const (
	fieldID field = iota
	fieldProcess
	fieldCPU
	fieldReported
	fieldPID
	fieldTID
	fieldDepth
	fieldSVC
	fieldFile
	fieldElapsed
	fieldDelta
	fieldPURR
)

// column is a field and its place. Start and end are counted in characters from the beginning of
// the line. The last character before end is blank unless the column is right-justified.
type column struct {
	field      field
	title      string
	start, end int
	right      bool // right-justified column
	gap        int  // blanks after a right-justified column
}

// The formats of the time (-O timestamp).
const (
	timeLong  = iota // elapsed seconds with 9 decimals, delta milliseconds with 6
	timeShort        // elapsed seconds with 6 decimals
	timeMicro        // elapsed and delta in microseconds with 3 decimals
	timeNone
)

// columns is the layout of a report.
type columns struct {
	list    []column
	base    int // column of texts of level APPL on their first line
	margin  int // the same for lines without columns
	twoLine bool
	values  bool // -x: paths of programs

	unit                    uint64 // nanoseconds per unit of the last decimal of the elapsed time
	decimals, deltaDecimals int

	text []byte // buffer for a value

	row           row
	id            int  // maximum length of an id that does not touch the next column; 0 without ids
	moreThanTimes bool // there are columns other than ids, threads and times
	times         bool // times are in the columns of timeLong
	elapsedEnd    int  // end of the elapsed time in a line with such times
	deltaEnd      int
	common        bool // only ids and times differ for every event
}

// levelWidth is the distance between the text columns APPL, SYSCALL, KERNEL and INTERRUPT.
const levelWidth = 8

// maxProcess is the maximum length of a shown process name.
const maxProcess = 14

// newColumns lays out the columns of o.
func newColumns(o *Options) *columns {
	c := &columns{twoLine: o.TwoLine, values: o.Values, unit: 1, decimals: 9, deltaDecimals: 6}
	switch o.Timestamp {
	case timeShort:
		c.unit, c.decimals = 1000, 6
	case timeMicro:
		c.decimals, c.deltaDecimals = 3, 3
	}
	c.add(!o.NoIDs, column{field: fieldID, title: "ID", end: idWidth})
	c.add(o.Exec, column{field: fieldProcess, title: "PROCESS NAME", end: maxProcess + 1})
	c.add(o.CPUID, column{field: fieldCPU, title: "CPU", end: 4})
	c.add(o.ReportedCPUs, column{field: fieldReported, title: "CPUS", end: 5})
	c.add(o.PID, column{field: fieldPID, title: "PID", end: 9})
	c.add(o.TID, column{field: fieldTID, title: "TID", end: 9})
	c.add(o.Exec || o.PID, column{field: fieldDepth, title: "I", end: 2})
	c.add(o.SVC, column{field: fieldSVC, title: "SYSTEM CALL", end: 12})
	c.add(o.FileName, column{field: fieldFile, title: "FILE NAME", end: 20})
	switch o.Timestamp {
	case timeLong:
		c.add(true, column{field: fieldElapsed, title: "ELAPSED_SEC", end: 14, right: true})
		c.add(true, column{field: fieldDelta, title: "DELTA_MSEC", end: 15, right: true, gap: 3})
	case timeShort:
		c.add(true, column{field: fieldElapsed, title: "ELAPSED_SEC", end: 11, right: true, gap: 3})
	case timeMicro:
		c.add(true, column{field: fieldElapsed, title: "ELAPSED_USEC", end: 14, right: true})
		c.add(true, column{field: fieldDelta, title: "DELTA_USEC", end: 15, right: true, gap: 3})
	}
	c.add(o.PURR, column{field: fieldPURR, title: "PURR", end: 16, right: true, gap: 3})
	if !c.twoLine {
		c.margin = c.base
	}
	c.prepare(o)
	return c
}

// add appends a column. Its end is its width.
func (c *columns) add(shown bool, col column) {
	if !shown {
		return
	}
	col.start = c.base
	col.end += c.base
	c.base = col.end + col.gap
	c.list = append(c.list, col)
}

// put writes a value into a row of blanks. It returns false if the value is wider than its column
// or touches the previous one. Later values then move to the right.
func (c *columns) put(row []byte, col *column, l *line) bool {
	room := row[col.start:col.end]
	fits := true
	switch {
	case col.field == fieldID:
		fits = copy(room, l.id) == len(l.id)
	case col.field == fieldElapsed && l.elapsed >= 0:
		fits = render.FixedRight(room, uint64(l.elapsed)/c.unit, c.decimals)
	case col.field == fieldDelta && l.delta >= 0:
		fits = render.FixedRight(room, uint64(l.delta), c.deltaDecimals)
	case col.right:
		c.text = c.number(c.text[:0], col.field, l)
		fits = copy(room[max(0, len(room)-len(c.text)):], c.text) == len(c.text)
	default:
		c.text = c.value(c.text[:0], col.field, l)
		fits = copy(room, c.text) == len(c.text)
	}
	return fits && (!touches(row, col) || col.right && room[0] == ' ')
}

// appendPushed appends the columns, up to the place of the text. Their values may be wider than the
// columns.
func (c *columns) appendPushed(dst []byte, l *line) []byte {
	begin := len(dst)
	for i := range c.list {
		col := &c.list[i]
		if col.right {
			c.text = c.number(c.text[:0], col.field, l)
			dst = reach(dst, begin, col.end-len(c.text))
			dst = append(dst, c.text...)
			continue
		}
		dst = reach(dst, begin, col.start)
		dst = c.value(dst, col.field, l)
	}
	return dst
}

// reach appends blanks up to the given column, and at least one blank unless the line is empty.
func reach(dst []byte, begin, col int) []byte {
	at := len(dst) - begin
	if at < col {
		return pad(dst, col-at)
	}
	if at > 0 && dst[len(dst)-1] != ' ' {
		return append(dst, ' ')
	}
	return dst
}

// value appends a left-justified value.
func (c *columns) value(dst []byte, f field, l *line) []byte {
	switch f {
	case fieldID:
		return append(dst, l.id...)
	case fieldProcess:
		return c.process(dst, l)
	case fieldCPU:
		return known(dst, int64(l.cpu))
	case fieldReported:
		return render.Dec(dst, int64(l.reported))
	case fieldPID:
		return known(dst, l.pid)
	case fieldTID:
		if int64(l.tid) == -1 {
			return append(dst, "-1"...)
		}
		return render.Udec(dst, l.tid)
	case fieldDepth:
		if l.depth != 0 {
			return render.Dec(dst, int64(l.depth))
		}
	case fieldSVC:
		return append(dst, l.svc...)
	case fieldFile:
		return append(dst, l.file...)
	}
	return dst
}

func known(dst []byte, v int64) []byte {
	if v < 0 {
		return dst
	}
	return render.Dec(dst, v)
}

// process appends the name of the process, or `-PID-` if it is unknown.
func (c *columns) process(dst []byte, l *line) []byte {
	switch {
	case c.values && l.path != "":
		return append(dst, l.path...)
	case l.process != "":
		return append(dst, l.process[:min(len(l.process), maxProcess)]...)
	case l.pid >= 0:
		dst = append(dst, '-')
		dst = render.Dec(dst, l.pid)
		return append(dst, '-')
	}
	return dst
}

// number appends a right-justified value.
func (c *columns) number(dst []byte, f field, l *line) []byte {
	switch {
	case f == fieldPURR && l.hasPURR:
		return render.HexPadUpper(dst, l.purr, 16)
	case f == fieldPURR: // aix.md 5.2: asterisks if unknown
		return append(dst, "****************"...)
	case f == fieldDelta:
		return appendFixed(dst, l.delta, c.deltaDecimals)
	}
	return appendFixed(dst, l.elapsed/int64(c.unit), c.decimals)
}

// appendFixed appends v as a number with the given number of decimals, at most 9. v counts units of
// the last decimal.
func appendFixed(dst []byte, v int64, decimals int) []byte {
	if v < 0 {
		return render.Fixed(append(dst, '-'), -uint64(v), decimals)
	}
	return render.Fixed(dst, uint64(v), decimals)
}

// titles returns the heading of the columns.
func (c *columns) titles() []byte {
	var dst []byte
	for i := range c.list {
		col := &c.list[i]
		if col.right {
			dst = reach(dst, 0, col.end-len(col.title))
		} else {
			dst = reach(dst, 0, col.start)
		}
		dst = append(dst, col.title...)
	}
	for i, name := range []string{"APPL", "SYSCALL", "KERNEL", "INTERRUPT"} {
		dst = reach(dst, 0, c.base+levelWidth*i)
		dst = append(dst, name...)
	}
	return dst
}
