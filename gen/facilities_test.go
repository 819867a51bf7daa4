package gen_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/testkit/lttngtest"
)

// facilityEvents are events of a facility, with fields of all types that generated decoders read.
const facilityEvents = `
	<event name="padded"><field name="c"><char/></field><field name="s"><struct>
		<field name="x"><short/></field><field name="y"><long/></field><field name="z"><uchar/></field></struct></field><field name="d"><uint/></field></event>
	<event name="floats"><field name="n"><string/></field><field name="f"><float size="4"/></field><field name="g"><float size="8"/></field></event>
	<event name="counted"><field name="c"><char/></field><field name="list"><sequence><ushort/><char/></sequence></field><field name="d"><ulong/></field></event>
	<event name="union"><field name="c"><char/></field><field name="u"><union>
		<field name="i"><int/></field><field name="l"><uint size="8"/></field></union></field><field name="p"><pointer/></field></event>
	<event name="strings"><field name="a"><array size="2"><struct>
		<field name="s"><string/></field><field name="n"><enum size="2"/></field></struct></array></field><field name="e"><array size="3"><short/></array></field></event>
	<event name="nested"><field name="a"><array size="2"><struct>
		<field name="x"><short/></field><field name="y"><array size="3"><char/></array></field></struct></array></field><field name="t"><struct/></field><field name="d"><char/></field></event>
	<event name="many"><field name="a"><array size="1500"><char/></array></field><field name="d"><size_t/></field></event>
	<event name="listed"><field name="none"><array size="0"><int/></array></field><field name="no"><array size="0"><string/></array></field>
		<field name="l"><sequence><uchar/><struct><field name="g"><float size="8"/></field><field name="s"><string/></field>
			<field name="in"><sequence><uint/><float size="4"/></sequence></field></struct></sequence></field><field name="d"><char/></field></event>`

// facilityTraces writes traces of 0.8 with random bytes in their events. Some events are too short.
func facilityTraces(t *testing.T) (dirs []string) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, tr := range map[string]*lttngtest.Trace{
		"le64aligned": {Order: binary.LittleEndian, Word: 8, Alignment: 8}, "be32": {Order: binary.BigEndian, Word: 4},
		"be32aligned": {Order: binary.BigEndian, Word: 4, Alignment: 4},
		"otherfloats": {Order: binary.LittleEndian, Word: 4, Alignment: 4, Floats: 4321},
	} {
		tr.Description = facilityEvents
		for i := range 400 {
			data := make([]byte, random.IntN(70))
			for j := range data {
				if random.IntN(3) > 0 { // strings end, counts are small
					data[j] = byte(random.IntN(256) >> (random.IntN(2) * 5))
				}
			}
			if i%8 == 6 {
				data = append(make([]byte, 1490), data...)
			}
			tr.Events = append(tr.Events, lttngtest.Event{Number: i % 8, Data: data})
		}
		dir := filepath.Join(t.TempDir(), "facility-"+name)
		if err := os.CopyFS(dir, tr.Files()); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	return dirs
}
