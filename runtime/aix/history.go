package aix

// history is the form of a file's entries, and the properties of the entries so far. A stream
// judges by it whether the next bytes are an entry.
type history struct {
	form          form
	sizes         [4]sizes
	described     *hooks
	known         *known
	hooks         hooks
	threads       threads
	raw           uint64 // stamp of the entry before, as recorded
	stamped       bool   // there was one
	rawBefore     uint64 // stamp of the last entry of the batch before
	stampedBefore bool
	ahead         int64 // of the stamp before another is usual, in ticks; see near
	back          int64
}

func newHistory(f form, described *hooks) history {
	return history{form: f, sizes: f.sizes(), described: described, ahead: leastAhead, back: leastBack}
}
