package columns

// JSON returns the style of JSON. With quote64, times and all integers of 8 bytes are strings, for
// readers that convert numbers to floats.
func JSON(quote64 bool) *Style {
	return &Style{Null: "null", Text: AppendJSON[[]byte], Quote64: quote64}
}

// Object returns the layout of a JSON object.
func Object(columns []Column) Layout {
	l := Layout{End: "}"}
	before := byte('{')
	for _, c := range columns {
		l.Cells = append(l.Cells, Cell{Before: string(append(AppendJSON([]byte{before}, c.Name), ':')), Column: c})
		before = ','
	}
	if len(columns) == 0 {
		l.End = "{}"
	}
	return l
}
