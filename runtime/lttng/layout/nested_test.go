package layout_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/layout"
)

// aligned has structures whose places depend on the alignment of the trace.
const aligned = `<event name="e"><field name="c"><char/></field>
	<field name="s"><struct><field name="x"><short/></field><field name="y"><long/></field><field name="z"><char/></field></struct></field>
	<field name="v"><struct><field name="n"><string/></field><field name="i"><int/></field></struct></field>
	<field name="a"><array size="2"><struct><field name="p"><int/></field><field name="q"><char/></field></struct></array></field>
	<field name="l"><sequence><ushort/><struct><field name="w"><uint size="8"/></field></struct></sequence></field>
	<field name="none"><array size="0"><long/></array></field></event>`

// TestAlignment: structures of fixed size, and elements, begin and end as in C. Up to 0.8 there is
// padding after strings and sequences (lttng.md 5.2 and 5.3).
func TestAlignment(t *testing.T) {
	for _, c := range []struct {
		trace lttngtest.Trace
		want  string
	}{
		{lttngtest.Trace{Order: binary.LittleEndian, Word: 8, Alignment: 8},
			"c:1@1 s:0@8+8{x:2@2 y:8@8 z:1@1} v:0@4{n:0@1+8 i:4@4} a:0@4*2{:0@4+4{p:4@4 q:1@1}} l:2@8+8{:0@8+8{w:8@8}} none:0@8*0{:8@8}"},
		{lttngtest.Trace{Order: binary.LittleEndian, Word: 4, Alignment: 4},
			"c:1@1 s:0@4+4{x:2@2 y:4@4 z:1@1} v:0@4{n:0@1+4 i:4@4} a:0@4*2{:0@4+4{p:4@4 q:1@1}} l:2@4+4{:0@4+4{w:8@4}} none:0@4*0{:4@4}"},
		{lttngtest.Trace{Order: binary.BigEndian, Word: 4},
			"c:1@1 s:0@1{x:2@1 y:4@1 z:1@1} v:0@1{n:0@1 i:4@1} a:0@1*2{:0@1{p:4@1 q:1@1}} l:2@1{:0@1{w:8@1}} none:0@1*0{:4@1}"},
	} {
		c.trace.Description = aligned
		rec, err := lttng.OpenFS(c.trace.Files(), "trace")
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		have := ""
		for _, m := range rec.Traces()[0].Markers() {
			if m.Channel == "f" && m.Name == "e" {
				have = shape(layout.Fields(m, c.trace.Order == binary.BigEndian))
			}
		}
		if d := cmp.Diff(c.want, have); d != "" {
			t.Errorf("%d bits, aligned to %d (-want +have)\n%s", 8*c.trace.Word, c.trace.Alignment, d)
		}
	}
}

// shape describes fields: the name, the size, @ the alignment, + the padding after it, * the count
// of a list without a length.
func shape(fields []bind.Field) string {
	var list []string
	for _, f := range fields {
		s := fmt.Sprintf("%s:%d@%d", f.Name, f.Size, max(f.Align, 1))
		if f.PadAfter > 1 {
			s += fmt.Sprintf("+%d", f.PadAfter)
		}
		if f.Kind == bind.List && f.Size == 0 {
			s += fmt.Sprintf("*%d", f.Count)
		}
		if f.Fields != nil {
			s += "{" + shape(f.Fields) + "}"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}
