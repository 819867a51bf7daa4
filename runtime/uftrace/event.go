package uftrace

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// The ids of events (uftrace.md 1.6).
const (
	EventReadStatm      = 100001
	EventReadPageFault  = 100002
	EventDiffStatm      = 100003
	EventDiffPageFault  = 100004
	EventReadCycle      = 100005
	EventDiffCycle      = 100006
	EventReadCache      = 100007
	EventDiffCache      = 100008
	EventReadBranch     = 100009
	EventDiffBranch     = 100010
	EventWatchCPU       = 100011
	EventWatchVar       = 100012
	EventCallsite       = 100013
	EventSchedIn        = 200001
	EventSchedOut       = 200002
	EventSched          = 200003 // of a reader: out and in as one
	EventTaskNew        = 200004
	EventTaskExit       = 200005
	EventTaskName       = 200006
	EventSchedOutPre    = 200007
	EventSchedPre       = 200008
	EventUser           = 1000000 // and above: events.txt
	EventExtern         = 2000000
	eventBuiltin        = 100000
	eventLinux          = 200000
	maxKernelTracepoint = 99999
)

// EventName names an event id: read:proc/statm, demo:step, linux:schedule.
func (r *Recording) EventName(id uint32) string {
	if name := fixedEvent(id); name != "" {
		return name
	}
	if name, ok := r.meta.tracepoints[id]; ok {
		return name
	}
	if name, ok := r.meta.user[id]; ok {
		return name
	}
	switch {
	case id >= EventUser:
		return "user_event:" + strconv.FormatUint(uint64(id), 10)
	case id >= eventLinux:
		return "linux:unknown"
	default:
		return "builtin_event:" + strconv.FormatUint(uint64(id), 10)
	}
}

func fixedEvent(id uint32) string {
	switch id {
	case EventReadStatm:
		return "read:proc/statm"
	case EventReadPageFault:
		return "read:page-fault"
	case EventDiffStatm:
		return "diff:proc/statm"
	case EventDiffPageFault:
		return "diff:page-fault"
	case EventReadCycle:
		return "read:pmu-cycle"
	case EventDiffCycle:
		return "diff:pmu-cycle"
	case EventReadCache:
		return "read:pmu-cache"
	case EventDiffCache:
		return "diff:pmu-cache"
	case EventReadBranch:
		return "read:pmu-branch"
	case EventDiffBranch:
		return "diff:pmu-branch"
	case EventWatchCPU:
		return "watch:cpu"
	case EventWatchVar:
		return "watch:var"
	case EventCallsite:
		return "callsite"
	case EventSchedIn:
		return "linux:sched-in"
	case EventSchedOut:
		return "linux:sched-out"
	case EventSchedOutPre:
		return "linux:sched-out (pre-empted)"
	case EventSched:
		return "linux:schedule"
	case EventSchedPre:
		return "linux:schedule (pre-empted)"
	case EventTaskNew:
		return "linux:task-new"
	case EventTaskExit:
		return "linux:task-exit"
	case EventTaskName:
		return "linux:task-name"
	case EventExtern:
		return "external-data"
	}
	return ""
}

// readEvents reads events.txt: EVENT: 1000000 demo:step.
func (r *Recording) readEvents() {
	text, ok := r.readFile("events.txt")
	text = r.take("events.txt", text, eventBytes)
	for off := int64(0); ok && len(text) > 0; {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if s := strings.TrimSpace(string(line)); s != "" && s[0] != '#' {
			value, isEvent := strings.CutPrefix(s, "EVENT:")
			num, name, _ := strings.Cut(strings.TrimSpace(value), " ")
			id, err := strconv.ParseUint(num, 10, 32)
			if isEvent && err == nil {
				r.meta.user[uint32(id)] = strings.TrimSpace(name)
			} else {
				r.damage.Note("events.txt", off, int64(len(line)), fmt.Errorf("%w: no EVENT line", ErrCorrupt))
			}
		}
		off += int64(len(text) - len(rest))
		text = rest
	}
}
