package dump

import (
	"encoding/binary"
	"fmt"

	"github.com/tracec/tracec/runtime/uftrace"
)

// headerBytes prints the first 40 bytes of the file info.
func (d *dumper) headerBytes(in *uftrace.Info) {
	var b [40]byte
	var order binary.ByteOrder = binary.LittleEndian
	b[12] = 1
	copy(b[:], "Ftrace!\x00")
	b[14], b[15] = 1, 2
	if in.BigEndian {
		order = binary.BigEndian
		b[14] = 2
	}
	if in.WordSize == 4 {
		b[15] = 1
	}
	order.PutUint32(b[8:], in.Version)
	order.PutUint16(b[12:], in.HeaderSize)
	order.PutUint64(b[16:], uint64(in.Features))
	order.PutUint64(b[24:], uint64(in.Fields))
	order.PutUint16(b[32:], uint16(in.MaxStack))
	var h hexLines
	d.out = h.append(d.out, b[:])
}

// taskFile prints the entries of the task file in their order.
func (d *dumper) taskFile() {
	d.out = fmt.Appendf(d.out, "\n%d tasks found\n", len(d.rec.Tasks()))
	for _, e := range d.rec.TaskEvents() {
		if e.Type == "DLOP" { // uftrace has no text for these
			continue
		}
		d.out = d.clock.Append(d.out, e.Time)
		switch e.Type {
		case "SESS":
			d.out = fmt.Appendf(d.out, "  session of task %d: %.16s (%s)\n", e.PID, e.Session, e.Name)
		case "TASK":
			d.out = fmt.Appendf(d.out, "  task tid %d (pid %d)\n", e.TID, e.PID)
		case "FORK":
			d.out = fmt.Appendf(d.out, "  fork pid %d (ppid %d)\n", e.TID, e.PPID)
		}
	}
}
