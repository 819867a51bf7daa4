package aix

// history is the form of a file's entries, and the properties of the entries so far. A stream uses
// it to decide whether the next bytes are an entry.
type history struct {
	form          form
	sizes         [4]sizes
	described     *hooks
	known         *known
	hooks         hooks
	threads       threads
	raw           uint64 // stamp of the previous entry, as recorded
	stamped       bool   // there was a stamp
	rawBefore     uint64 // stamp of the last entry of the previous batch
	stampedBefore bool
	ahead         int64 // usual distance to the next stamp, in ticks; see near
	back          int64
}

func newHistory(f form, described *hooks) history {
	return history{form: f, sizes: f.sizes(), described: described, ahead: leastAhead, back: leastBack}
}
