package callstack

// tidTable finds tasks by their thread id. It uses open addressing, because each record of perf and
// kernel files names its thread.
type tidTable struct {
	slots []*Task // the length is a power of two; at most half full
	last  *Task
}

func newTIDTable(tasks []*Task) tidTable {
	n := 4
	for n < 2*len(tasks) {
		n *= 2
	}
	t := tidTable{slots: make([]*Task, n)}
	for _, task := range tasks {
		i := t.home(task.TID)
		for t.slots[i] != nil && t.slots[i].TID != task.TID {
			i = (i + 1) & (n - 1)
		}
		if t.slots[i] == nil {
			t.slots[i] = task
		}
	}
	return t
}

func (t *tidTable) home(tid int32) int {
	return int(uint32(tid)*0x9e3779b1>>8) & (len(t.slots) - 1)
}

func (t *tidTable) find(tid int32) *Task {
	if t.last != nil && t.last.TID == tid {
		return t.last
	}
	for i := t.home(tid); t.slots[i] != nil; i = (i + 1) & (len(t.slots) - 1) {
		if t.slots[i].TID == tid {
			t.last = t.slots[i]
			return t.last
		}
	}
	return nil
}
