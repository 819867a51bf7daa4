package perfetto

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec/runtime/record"
)

// begin appends the data before all events: the machine, the clocks and the threads.
func (w *eventWriter) begin(first uint64) {
	main := &w.buffers[max(0, slices.IndexFunc(w.buffers, func(b buffer) bool { return !b.empty }))]
	for i := range w.buffers {
		b := &w.buffers[i]
		if b.empty && b != main {
			continue
		}
		w.start(b)
		if b == main || b.machine != 0 {
			w.system(b)
			w.clocks(b, first)
		}
	}
	w.processes(first)
}

// start appends the first packet of the sequence of a buffer.
func (w *eventWriter) start(b *buffer) {
	at := w.open()
	w.out = appendUint(b.identify(w.out), packetSequenceFlags, sequenceCleared)
	w.out = appendUint(w.out, packetFirstOnSequence, 1)
	w.close(at)
}

// system appends the recording's data about its machine.
func (w *eventWriter) system(b *buffer) {
	name := w.machine.Host
	if b.machine != 0 {
		name = b.name
	}
	w.out = appendSystem(w.out, &w.machine, name, b.sequence, b.machine)
}

// appendSystem appends the packet with a recording's data about its machine.
func appendSystem(dst []byte, m *record.Machine, name string, sequence, machine uint64) []byte {
	dst, packet := begin(dst, tracePacket)
	dst, info := begin(dst, packetSystemInfo)
	dst, uts := begin(dst, systemUtsname)
	for _, f := range []struct {
		number protowire.Number
		text   string
	}{{utsSystem, m.System}, {utsRelease, m.Release}, {utsMachine, m.Arch}} {
		if f.text != "" {
			dst = appendText(dst, f.number, f.text)
		}
	}
	dst = end(dst, uts)
	if m.CPUs > 0 {
		dst = appendUint(dst, systemCPUs, uint64(m.CPUs))
	}
	if name != "" {
		dst = appendText(dst, systemMachine, name)
	}
	dst = appendUint(end(dst, info), packetSequence, sequence)
	if machine != 0 {
		dst = appendUint(dst, packetMachine, machine)
	}
	return end(dst, packet)
}

// appendClock appends the time of a clock to a snapshot.
func appendClock(dst []byte, id, time uint64) []byte {
	dst, at := begin(dst, snapshotClock)
	return end(appendUint(appendUint(dst, clockID, id), clockTime, time), at)
}

// clockIDs holds the numbers of Perfetto's clocks by their names in ftrace.
var clockIDs = map[string]uint64{"mono": clockMonotonic, "mono_raw": clockMonotonicRaw, "boot": clockBoottime}

// clocks appends a snapshot of Perfetto's clocks at the first event. The clock of ftrace's events
// is always BOOTTIME.
func (w *eventWriter) clocks(b *buffer, first uint64) {
	m := &w.machine
	if m.Ticks {
		return
	}
	at := w.open()
	w.out = appendUint(w.out, packetTimestamp, first)
	var in int
	w.out, in = begin(w.out, packetClockSnapshot)
	w.out = appendClock(w.out, clockBoottime, first)
	if id := clockIDs[b.clock]; id != 0 && id != clockBoottime && !m.HasWall {
		w.out = appendClock(w.out, id, first)
	}
	if wall, ok := m.WallTime(first); ok {
		w.out = appendClock(w.out, clockRealtime, uint64(wall.UnixNano()))
	}
	w.out = b.identify(end(w.out, in))
	w.close(at)
}

// processes appends the threads with a known process.
func (w *eventWriter) processes(first uint64) {
	var tree []byte
	names := map[int32]string{}
	w.rec.Comms(func(task int32, comm string) { names[task] = comm })
	for _, task := range slices.Sorted(maps.Keys(names)) {
		tgid, ok := w.rec.TGID(task)
		if !ok || task <= 0 {
			continue
		}
		var at int
		if tgid == int(task) {
			tree, at = begin(tree, treeProcess)
			tree = appendText(appendUint(tree, processPID, uint64(tgid)), processCmd, names[task])
			tree = end(appendUint(tree, processIsComm, 1), at)
		}
		tree, at = begin(tree, treeThread)
		tree = appendUint(tree, threadTID, uint64(task))
		tree = appendUint(appendText(tree, threadName, names[task]), threadTGID, uint64(tgid))
		tree = end(tree, at)
	}
	if len(tree) == 0 {
		return
	}
	at := w.open()
	w.out = appendUint(w.out, packetTimestamp, first)
	w.out = w.buffers[0].identify(appendBytes(w.out, packetProcessTree, tree))
	w.close(at)
}
