package babeltrace

import (
	"fmt"

	"github.com/tracec/tracec/report/style"
)

// short prints a message as compact=yes does: on one line, without fields. id is the number of its
// trace.
func (d *detailed) short(s *sender, m *message, id int) {
	if d.Time {
		if m.open() && d.clockOf(s) {
			d.out.WriteString("[Unknown] ")
		}
		d.times(m, "[%s %s] ")
	}
	fmt.Fprintf(&d.out, "{%d %s %s} ", id, groups(s.stream.Class()), groups(s.stream.ID()))
	switch m.kind {
	case lostEvents, lostPackets:
		d.lost(m)
	case anEvent:
		e := m.entry.Event
		fmt.Fprintf(&d.out, "Event `%s` (%s)\n", d.paint.Append(nil, style.Event, e.Name.Name), groups(e.ID))
	default:
		d.out.WriteString(kindTexts[m.kind] + "\n")
	}
}

// kindTexts are the names of messages without contents.
var kindTexts = [kinds]string{streamBegin: "Stream beginning", streamEnd: "Stream end", packetBegin: "Packet beginning",
	packetEnd: "Packet end"}
