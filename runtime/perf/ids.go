package perf

// idTable finds the event of an id. It is a table with open addressing, because it is used for
// every record.
type idTable struct {
	ids    []uint64
	events []*Event // nil if the place is free
	n      int
}

func (t *idTable) place(id uint64) int {
	return int(id * 0x9e3779b97f4a7c15 >> 32 & uint64(len(t.ids)-1))
}

// find returns the event of an id, or nil if there is none.
func (t *idTable) find(id uint64) *Event {
	if len(t.ids) == 0 {
		return nil
	}
	for i := t.place(id); t.events[i] != nil; i = (i + 1) & (len(t.ids) - 1) {
		if t.ids[i] == id {
			return t.events[i]
		}
	}
	return nil
}

// add adds an id. If two events have one id, the first is used.
func (t *idTable) add(id uint64, e *Event) {
	if t.find(id) != nil {
		return
	}
	if 2*(t.n+1) > len(t.ids) {
		old := *t
		*t = idTable{ids: make([]uint64, max(16, 2*len(old.ids))), events: make([]*Event, max(16, 2*len(old.ids)))}
		for i, x := range old.events {
			if x != nil {
				t.put(old.ids[i], x)
			}
		}
	}
	t.put(id, e)
}

func (t *idTable) put(id uint64, e *Event) {
	i := t.place(id)
	for t.events[i] != nil {
		i = (i + 1) & (len(t.ids) - 1)
	}
	t.ids[i], t.events[i] = id, e
	t.n++
}
