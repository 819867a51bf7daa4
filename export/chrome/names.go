package chrome

import (
	"fmt"
	"strconv"

	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// The processes of tracks without a process. Importers treat 0 as the idle thread or as missing.
// Processes of Linux have numbers to 2^22.
const (
	threadsProcess    = 2147483641 + iota // threads of an unknown process
	functionsProcess                      // calls of functions of the kernel, by threads
	cpusProcess                           // occupation of processors
	interruptsProcess                     // interrupts of processors
	idleProcess                           // idle threads of processors
	unknownProcess                        // events without a thread and a processor
)

var processNames = map[int32]string{
	threadsProcess: "threads", functionsProcess: "kernel functions", cpusProcess: "CPUs",
	interruptsProcess: "interrupts", idleProcess: "idle",
	unknownProcess: "unknown threads",
}

// idleThread is the number of CPU 0's idle thread in tracks of threads, which cannot have the
// number 0.
const idleThread = 2147400000

// numbers returns the process and the thread for a track in the output.
func numbers(tr *timeline.Track) (pid, tid int32) {
	switch tr.Kind {
	case timeline.CPU:
		return cpusProcess, tr.ID + 1
	case timeline.Interrupt:
		return interruptsProcess, tr.ID + 1
	case timeline.Unknown:
		return unknownProcess, tr.CPU + 2 // events without a processor have CPU -1
	}
	pid, tid = threadsProcess, tr.ID
	if tr.Process > 0 {
		pid = tr.Process
	}
	if tid == 0 {
		pid, tid = idleProcess, idleThread+max(0, tr.CPU)
	}
	if tr.Kind == timeline.Functions {
		pid = functionsProcess
	}
	return pid, tid
}

// names writes the names of threads and processes.
func (x *writer) names(tracks []*timeline.Track) {
	processes := map[int32]string{}
	for _, tr := range tracks {
		if tr.Kind == timeline.Thread && tr.ID == tr.Process {
			processes[tr.Process] = tr.Name
		}
	}
	written := map[int32]bool{}
	for _, tr := range tracks {
		if tr.Index >= len(x.tracks) || x.tracks[tr.Index].ids == nil {
			continue // the track is empty
		}
		x.name("thread_name", x.tracks[tr.Index].ids, trackName(tr))
		pid, _ := numbers(tr)
		name := processes[pid]
		if own, ok := processNames[pid]; ok {
			name = own
		}
		if !written[pid] && name != "" {
			x.name("process_name", strconv.AppendInt([]byte(`"pid":`), int64(pid), 10), name)
		}
		written[pid] = true
		x.flush(flushSize)
	}
}

// trackName returns the name of a thread, or its number if it has no name.
func trackName(tr *timeline.Track) string {
	switch {
	case tr.Kind == timeline.CPU:
		return fmt.Sprintf("CPU %d", tr.ID)
	case tr.Kind == timeline.Interrupt:
		return fmt.Sprintf("interrupts of CPU %d", tr.ID)
	case tr.Kind == timeline.Unknown && tr.CPU < 0:
		return "unknown thread"
	case tr.Kind == timeline.Unknown:
		return fmt.Sprintf("unknown thread on CPU %d", tr.CPU)
	case tr.ID == 0 && tr.CPU >= 0:
		return fmt.Sprintf("idle on CPU %d", tr.CPU)
	case tr.Name == "":
		return strconv.Itoa(int(tr.ID))
	}
	return tr.Name
}

func (x *writer) name(kind string, ids []byte, name string) {
	x.out = append(append(append(x.out, ",\n{\"ph\":\"M\","...), ids...), `,"ts":0,"cat":"__metadata","name":"`...)
	x.out = columns.AppendJSON(append(append(x.out, kind...), `","args":{"name":`...), name)
	x.out = append(x.out, "}}"...)
	x.first()
}

// metadata writes the origin of the events.
func (x *writer) metadata(rec record.Recording) {
	m := rec.Machine()
	x.out = append(x.out, "\n],\"metadata\":{\"source\":"...)
	x.out = columns.AppendJSON(x.out, rec.Name())
	for _, p := range [...][2]string{{"host", m.Host}, {"system", m.System}, {"release", m.Release}, {"arch", m.Arch},
		{"clock", m.Clock}} {
		if p[1] != "" {
			x.out = append(append(append(x.out, `,"`...), p[0]...), `":`...)
			x.out = columns.AppendJSON(x.out, p[1])
		}
	}
	if m.Ticks {
		x.out = append(x.out, `,"ticks":true`...)
	}
	x.out = strconv.AppendUint(append(x.out, `,"start_ns":"`...), x.base, 10)
	if _, ok := m.WallTime(0); ok {
		x.out = strconv.AppendInt(append(x.out, `","wall_ns":"`...), m.Wall, 10)
	}
	x.out = append(x.out, "\"}}\n"...)
}
