package process

import "github.com/tracec/tracec/runtime/lttng"

// Kinds appends the kinds of records that a State of [New] uses, as in record.Options.IDs. A State
// does not need other records.
func Kinds(ids []uint32, rec *lttng.Recording) []uint32 {
	return kinds(ids, rec, func(k kind) bool { return k != nothing })
}

// RunningKinds is Kinds for a State of [NewProcesses], and for the names of a [Threads].
func RunningKinds(ids []uint32, rec *lttng.Recording) []uint32 { return kinds(ids, rec, runs) }

func kinds(ids []uint32, rec *lttng.Recording, heeded func(kind) bool) []uint32 {
	for _, m := range rec.Markers() {
		if heeded(actionOf(m).kind) {
			ids = append(ids, uint32(m.Index))
		}
	}
	return ids
}

// runs reports whether an action changes the running process, or its name.
func runs(k kind) bool {
	switch k {
	case schedule, fork, exec, free, dump:
		return true
	}
	return false
}
