package lttngtest

import (
	"encoding/binary"
	"testing"

	"github.com/tracec/tracec/runtime/lttng"
)

// nestedXML describes an event with a structure, a sequence of structures, a union, and a sequence
// of arrays.
const nestedXML = `<event name="e">
<field name="a"><struct><field name="x"><short/></field><field name="s"><string/></field></struct></field>
<field name="b"><sequence><uchar/><struct><field name="n"><long/></field><field name="tags"><array size="2"><uchar/></array></field></struct></sequence></field>
<field name="c"><union><field name="u"><uint/></field><field name="f"><float size="8"/></field></union></field>
<field name="d"><sequence><uchar/><array size="2"><string/></array></sequence></field>
</event>`

// Nested opens a trace with two events of nested values. The first has a={x=-2 s=a"b}, b=[{n=1
// tags=[5 6]} {n=2 tags=[7 8]}], c={u=0 f=2.5}, d=[[p q]]. The second ends within the second
// element of b.
func Nested(t testing.TB) *lttng.Recording {
	t.Helper()
	data := []byte("\xfe\xffa\"b\x00" + "\x02\x01\x00\x00\x00\x00\x00\x00\x00\x05\x06\x02\x00\x00\x00\x00\x00\x00\x00\x07\x08" +
		"\x00\x00\x00\x00\x00\x00\x04\x40" + "\x01p\x00q\x00")
	tr := &Trace{Order: binary.LittleEndian, Word: 8, Description: nestedXML,
		Events: []Event{{Data: data}, {Data: data[:26]}}}
	rec, err := lttng.OpenFS(tr.Files(), "trace")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}
