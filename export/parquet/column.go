package parquet

// storage is the kind of slice that holds the values of a column.
type storage uint8

const (
	narrow   storage = iota // 32 bits
	wide                    // 64 bits
	text                    // bytes of any length
	repeated                // the elements are in another column
)

// column holds the values of one column of unwritten rows. All slices in use have a value for each
// row, null or not.
type column struct {
	storage  storage
	optional bool
	level    uint8 // definition level of values that are not null

	narrow []int32
	wide   []int64
	bytes  []byte
	ends   []uint32 // ends of texts in bytes, or of lists in elem
	levels []uint8  // definition levels of an optional column
	elem   *column  // elements of lists
}

// newColumn returns an empty column for the values of a field.
func newColumn(f *field) column {
	c := column{storage: f.storage, optional: f.optional, level: f.level()}
	if f.storage == repeated {
		elem := newColumn(f.elem)
		c.elem = &elem
	}
	return c
}

// putBits appends a number.
func (c *column) putBits(v uint64) {
	if c.storage == narrow {
		c.narrow = append(c.narrow, int32(v))
	} else {
		c.wide = append(c.wide, int64(v))
	}
	if c.optional {
		c.levels = append(c.levels, c.level)
	}
}

// putBytes appends a text.
func (c *column) putBytes(b []byte) {
	c.bytes = append(c.bytes, b...)
	c.endText()
}

// putText appends a text, with invalid UTF-8 replaced.
func (c *column) putText(b []byte) {
	c.bytes = appendValid(c.bytes, b)
	c.endText()
}

func (c *column) putString(s string) {
	c.bytes = appendValid(c.bytes, s)
	c.endText()
}

func (c *column) endText() {
	c.ends = append(c.ends, uint32(len(c.bytes)))
	if c.optional {
		c.levels = append(c.levels, c.level)
	}
}

// endList ends a list. Its elements were put into elem.
func (c *column) endList() {
	c.ends = append(c.ends, uint32(c.elem.len()))
	if c.optional {
		c.levels = append(c.levels, c.level)
	}
}

// putNull appends a null, for a value outside of structures or in a missing outermost one.
func (c *column) putNull() { c.putNullIn(0) }

// putNullIn appends a null for a value in structures. level is the number of structures around the
// value that are present, among the structures that may be missing.
func (c *column) putNullIn(level uint8) {
	switch c.storage {
	case narrow:
		c.narrow = append(c.narrow, 0)
	case wide:
		c.wide = append(c.wide, 0)
	case text:
		c.ends = append(c.ends, uint32(len(c.bytes)))
	case repeated:
		c.ends = append(c.ends, uint32(c.elem.len()))
	}
	c.levels = append(c.levels, level)
}

// len returns the number of values.
func (c *column) len() int {
	switch c.storage {
	case narrow:
		return len(c.narrow)
	case wide:
		return len(c.wide)
	}
	return len(c.ends)
}

// variable returns the number of bytes of values without a fixed size.
func (c *column) variable() int {
	if c.storage == repeated {
		return c.elem.size()
	}
	return len(c.bytes)
}

// size returns the number of bytes of the values.
func (c *column) size() int {
	return 4*len(c.narrow) + 8*len(c.wide) + 4*len(c.ends) + len(c.levels) + c.variable()
}

// truncate keeps the first n values.
func (c *column) truncate(n int) {
	switch c.storage {
	case narrow:
		c.narrow = c.narrow[:n]
	case wide:
		c.wide = c.wide[:n]
	default:
		end := 0
		if n > 0 {
			end = int(c.ends[n-1])
		}
		if c.ends = c.ends[:n]; c.storage == repeated {
			c.elem.truncate(end)
		} else {
			c.bytes = c.bytes[:end]
		}
	}
	if c.optional {
		c.levels = c.levels[:n]
	}
}

// span returns the range of value i in bytes or in elem.
func (c *column) span(i int) (from, to int) {
	if i > 0 {
		from = int(c.ends[i-1])
	}
	return from, int(c.ends[i])
}

// has reports whether value i is not null.
func (c *column) has(i int) bool { return !c.optional || c.levels[i] == c.level }

// gather returns the values in the given order, which may omit some.
func (c *column) gather(order []int32) column {
	g := column{storage: c.storage, optional: c.optional, level: c.level}
	if c.elem != nil {
		var elements []int32
		for _, i := range order {
			from, to := c.span(int(i))
			for j := from; j < to; j++ {
				elements = append(elements, int32(j))
			}
			g.ends = append(g.ends, uint32(len(elements)))
		}
		elem := c.elem.gather(elements)
		g.elem = &elem
	}
	for _, i := range order {
		switch c.storage {
		case narrow:
			g.narrow = append(g.narrow, c.narrow[i])
		case wide:
			g.wide = append(g.wide, c.wide[i])
		case text:
			from, to := c.span(int(i))
			g.bytes = append(g.bytes, c.bytes[from:to]...)
			g.ends = append(g.ends, uint32(len(g.bytes)))
		}
		if c.optional {
			g.levels = append(g.levels, c.levels[i])
		}
	}
	return g
}
