package markers

import (
	"strconv"

	"github.com/tracec/tracec/runtime/bind/sequence"
	"github.com/tracec/tracec/runtime/lttng"
)

// Layout describes the payload of a marker. Names are those of the format, with a number after them where one comes
// twice (ip 2); a field without a name is called by its position, field 1 the first, as compiler/lttng does.
func Layout(m *lttng.Marker, bigEndian bool) sequence.Layout {
	l := sequence.Layout{BigEndian: bigEndian, Fields: make([]sequence.Field, 0, len(m.Fields))}
	taken := make(map[string]bool, len(m.Fields))
	for i := range m.Fields {
		x := &m.Fields[i]
		f := sequence.Field{Name: x.Name, Size: x.Size, Align: x.Align, Signed: x.Signed, Network: x.Network && x.Size > 1}
		if x.Size == 0 {
			f.Kind, f.PadAfter, f.Align = sequence.CString, x.PadAfter, 1
		}
		if f.Name == "" {
			f.Name = "field " + strconv.Itoa(i+1)
		}
		for k := 2; taken[f.Name]; k++ {
			f.Name = x.Name + " " + strconv.Itoa(k)
		}
		taken[f.Name] = true
		l.Fields = append(l.Fields, f)
	}
	return l
}
