package index

// A Lister lists the parts of a stream whose records come in batches, each from one part.
type Lister struct {
	To *Builder

	part  Part
	kinds Kinds
	begun bool
	bad   bool // the part must be read
}

// Batch begins a batch from the part at an offset. It ends the previous part, if that is another
// one. Damage since the last batch is in one of the two parts, and neither is listed. A new part
// that is bad is not listed either.
func (l *Lister) Batch(at int64, damaged, bad bool) {
	if at != l.part.At || !l.begun {
		l.End(damaged)
		l.part, l.kinds, l.begun, l.bad = Part{At: at}, l.kinds[:0], true, bad
	}
	l.bad = l.bad || damaged
}

// Add adds a record of the batch.
func (l *Lister) Add(kind uint32, time uint64) {
	if l.part.Records == 0 {
		l.part.First, l.part.Last = time, time
	}
	l.part.Records++
	l.part.First, l.part.Last = min(l.part.First, time), max(l.part.Last, time)
	l.kinds.Add(kind)
}

// End ends the last part. Damage since the last batch is in it.
func (l *Lister) End(damaged bool) {
	if l.begun && !l.bad && !damaged {
		l.To.Add(l.part, l.kinds)
	}
	l.begun = false
}
