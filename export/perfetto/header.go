package perfetto

import "google.golang.org/protobuf/encoding/protowire"

// begin appends what comes before all events: the machine, the clocks and the threads.
func (w *eventWriter) begin(first uint64) {
	for i := range w.buffers {
		b := &w.buffers[i]
		at := w.open()
		w.out = appendUint(b.identify(w.out), packetSequenceFlags, sequenceCleared)
		w.out = appendUint(w.out, packetFirstOnSequence, 1)
		w.close(at)
		if i == 0 || b.machine != 0 {
			w.system(b)
			w.clocks(b, first)
		}
	}
	w.processes(first)
}

// system appends what the recording says of its machine.
func (w *eventWriter) system(b *buffer) {
	m := &w.machine
	at := w.open()
	var info, uts int
	w.out, info = begin(w.out, packetSystemInfo)
	w.out, uts = begin(w.out, systemUtsname)
	for _, f := range []struct {
		number protowire.Number
		text   string
	}{{utsSystem, m.System}, {utsRelease, m.Release}, {utsMachine, m.Arch}} {
		if f.text != "" {
			w.out = appendText(w.out, f.number, f.text)
		}
	}
	w.out = end(w.out, uts)
	if m.CPUs > 0 {
		w.out = appendUint(w.out, systemCPUs, uint64(m.CPUs))
	}
	name := m.Host
	if b.machine != 0 {
		name = b.name
	}
	if name != "" {
		w.out = appendText(w.out, systemMachine, name)
	}
	w.out = b.identify(end(w.out, info))
	w.close(at)
}

// clockIDs are the clocks of Perfetto that are clocks of ftrace.
var clockIDs = map[string]uint64{"mono": clockMonotonic, "mono_raw": clockMonotonicRaw, "boot": clockBoottime}

// clocks appends what the clocks of Perfetto say at the time of the first event. That of ftrace's events is BOOTTIME, whatever it is.
func (w *eventWriter) clocks(b *buffer, first uint64) {
	m := &w.machine
	if m.Ticks {
		return
	}
	at := w.open()
	w.out = appendUint(w.out, packetTimestamp, first)
	var in int
	w.out, in = begin(w.out, packetClockSnapshot)
	add := func(id, time uint64) {
		var clock int
		w.out, clock = begin(w.out, snapshotClock)
		w.out = end(appendUint(appendUint(w.out, clockID, id), clockTime, time), clock)
	}
	add(clockBoottime, first)
	if id := clockIDs[b.clock]; id != 0 && id != clockBoottime && !m.HasWall {
		add(id, first)
	}
	if wall, ok := m.WallTime(first); ok {
		add(clockRealtime, uint64(wall.UnixNano()))
	}
	w.out = b.identify(end(w.out, in))
	w.close(at)
}

// processes appends the threads whose process the recording says.
func (w *eventWriter) processes(first uint64) {
	var tree []byte
	w.rec.Comms(func(task int32, comm string) {
		tgid, ok := w.rec.TGID(task)
		if !ok || task <= 0 {
			return
		}
		var at int
		if tgid == int(task) {
			tree, at = begin(tree, treeProcess)
			tree = appendText(appendUint(tree, processPID, uint64(tgid)), processCmd, comm)
			tree = end(appendUint(tree, processIsComm, 1), at)
		}
		tree, at = begin(tree, treeThread)
		tree = appendUint(tree, threadTID, uint64(task))
		tree = appendUint(appendText(tree, threadName, comm), threadTGID, uint64(tgid))
		tree = end(tree, at)
	})
	if len(tree) == 0 {
		return
	}
	at := w.open()
	w.out = appendUint(w.out, packetTimestamp, first)
	w.out = w.buffers[0].identify(appendBytes(w.out, packetProcessTree, tree))
	w.close(at)
}
