package aix

// gap is the current damage of the walk, or the damage that has just ended.
type gap struct {
	start   int64  // offset where the current damage begins, or -1
	want    string // expected contents
	cause   error
	lost    bool // something was skipped before the next record
	probing bool // damage is not reported: the walk of the stream will report it
}

// open reports whether the walk is in the gap.
func (g *gap) open() bool { return g.start >= 0 }

// begin opens the gap.
func (g *gap) begin(at int64, d *Damage) { g.start, g.want, g.cause = at, d.Want, d.Err }

// end closes the gap and returns its damage.
func (g *gap) end(src *source, at int64) *Damage {
	d := src.fail(g.start, g.want, g.cause)
	d.Skipped = at - g.start
	g.start = -1
	return d
}
