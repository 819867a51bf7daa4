package summary

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// column is one field of the table of functions.
type column struct {
	field string // name for -f
	title string // right-aligned in width columns
	width int
	text  func(dst []byte, r *row, p *color.Palette) []byte
	// value returns the number for sorting and CSV. If time is set, it is in ns. It is nil if there
	// is no number.
	value func(*row) uint64
	time  bool
	// ratio returns a number in percent; it is nil if there is none.
	ratio   func(*row) float64
	centred bool
}

func duration(field, title string, value func(*row) uint64) column {
	return column{field, title, line.Width,
		func(dst []byte, r *row, p *color.Palette) []byte { return p.AppendDuration(dst, value(r)) }, value, true, nil,
		false}
}

func number(field, title string, value func(*row) uint64) column {
	return column{field, title, line.Width,
		func(dst []byte, r *row, _ *color.Palette) []byte { return appendRight(dst, value(r), line.Width) }, value,
		false, nil, false}
}

// sizeColumn returns the column with the size of a function in bytes. Rows other than functions,
// such as time off the processor, show "-".
func sizeColumn() column {
	c := number("size", "Size", func(r *row) uint64 { return r.size })
	text := c.text
	c.text = func(dst []byte, r *row, p *color.Palette) []byte {
		if r.event {
			start := len(dst)
			return alignRight(append(dst, '-'), start, line.Width)
		}
		return text(dst, r, p)
	}
	return c
}

func percent(field, title string, value func(*row) float64) column {
	text := func(dst []byte, r *row, _ *color.Palette) []byte {
		start := len(dst)
		dst = append(strconv.AppendFloat(dst, value(r), 'f', 2, 64), '%')
		return alignRight(dst, start, line.Width)
	}
	return column{field, title, line.Width, text, nil, false, value, false}
}

func timestamp(field, title string, value func(*row) uint64) column {
	const width = 18
	text := func(dst []byte, r *row, _ *color.Palette) []byte {
		start, t := len(dst), value(r)
		dst = strconv.AppendUint(dst, t/1e9, 10)
		dst = append(dst, '.')
		dst = appendZeros(dst, t%1e9, 9)
		return alignRight(dst, start, width)
	}
	return column{field, title, width, text, nil, false, nil, false}
}

// functionColumns returns all fields in the order of columns. The order in -f has no effect.
func functionColumns(like19 bool) []column {
	list := []column{
		duration("total", "Total time", func(r *row) uint64 { return r.total.sum }),
		duration("total-avg", "Total avg", func(r *row) uint64 { return r.total.mean(r.calls) }),
		duration("total-min", "Total min", func(r *row) uint64 { return r.total.min }),
		duration("total-max", "Total max", func(r *row) uint64 { return r.total.max }),
		duration("self", "Self time", func(r *row) uint64 { return r.self.sum }),
		duration("self-avg", "Self avg", func(r *row) uint64 { return r.self.mean(r.calls) }),
		duration("self-min", "Self min", func(r *row) uint64 { return r.self.min }),
		duration("self-max", "Self max", func(r *row) uint64 { return r.self.max }),
		number("call", "Calls", func(r *row) uint64 { return r.calls }),
		sizeColumn(),
	}
	if !like19 {
		return list
	}
	return append(list,
		percent("total-stdv", "Total stdv", func(r *row) float64 { return r.total.deviation(r.calls) }),
		percent("self-stdv", "Self stdv", func(r *row) float64 { return r.self.deviation(r.calls) }),
		timestamp("total-min-ts", "Total min ts", func(r *row) uint64 { return r.total.minAt }),
		timestamp("total-max-ts", "Total max ts", func(r *row) uint64 { return r.total.maxAt }),
		timestamp("self-min-ts", "Self min ts", func(r *row) uint64 { return r.self.minAt }),
		timestamp("self-max-ts", "Self max ts", func(r *row) uint64 { return r.self.maxAt }),
		processorColumn("cpu-count", "CPU Count", processorCount),
		processorColumn("cpu-mask", "CPU MASK", processorMask),
		processorColumn("cpu-list", "CPU LIST", processorList),
	)
}

func defaultFields(opts *Options) string {
	fields := "total,self,call"
	switch {
	case opts.Table.AvgTotal:
		fields = "total-avg,total-min,total-max"
		if opts.Table.Like19 {
			fields += ",total-stdv"
		}
	case opts.Table.AvgSelf:
		fields = "self-avg,self-min,self-max"
		if opts.Table.Like19 {
			fields += ",self-stdv"
		}
	}
	return fields
}

// chooseColumns selects the fields that -f names.
func chooseColumns(all []column, list, normal string) ([]column, error) {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].field
	}
	wanted, err := chooseFields(names, list, normal)
	var chosen []column
	for i := range all {
		if err == nil && wanted[i] {
			chosen = append(chosen, all[i])
		}
	}
	return chosen, err
}

// chooseFields reports which fields -f names. A list that starts with + extends the normal list.
func chooseFields(all []string, list, normal string) ([]bool, error) {
	wanted := make([]bool, len(all))
	switch {
	case list == "":
		list = normal
	case list == "none":
		return wanted, nil
	case list == "all":
		list = strings.Join(all, ",")
	case list[0] == '+':
		list = normal + "," + list[1:]
	}
	for _, name := range strings.Split(list, ",") {
		i := slices.Index(all, name)
		if i < 0 {
			return nil, report.Usagef("Unknown field name '%s'\n  Possible fields are: %s", name,
				strings.Join(all, " "))
		}
		wanted[i] = true
	}
	return wanted, nil
}

func appendRight(dst []byte, v uint64, width int) []byte {
	start := len(dst)
	return alignRight(strconv.AppendUint(dst, v, 10), start, width)
}

// alignRight shifts the text after start to the right, to a width of at least width columns.
func alignRight(dst []byte, start, width int) []byte {
	pad := width - (len(dst) - start)
	if pad <= 0 {
		return dst
	}
	for range pad {
		dst = append(dst, ' ')
	}
	copy(dst[start+pad:], dst[start:len(dst)-pad])
	for i := range pad {
		dst[start+i] = ' '
	}
	return dst
}

func appendZeros(dst []byte, v uint64, width int) []byte {
	var digits [20]byte
	text := strconv.AppendUint(digits[:0], v, 10)
	for range width - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}
