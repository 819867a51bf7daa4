// Package fold joins pieces of a sequence. Workers made the pieces without knowing the state before
// them, but with an assumption about it. If the assumption was right, a piece is used, otherwise it
// is made again.
package fold

import "sync/atomic"

// State is the state after the pieces so far, such as a printer that has printed them.
type State[P any] interface {
	// Fits reports whether a piece equals the piece that would be made after the pieces so far.
	Fits(piece P) bool
	// Take adds a piece that fits. The state is then the state at its end.
	Take(piece P) error
	// Again makes a piece that does not fit again, and adds it.
	Again(piece P) error
}

// fewMisfits is the number of misfits that do not lead to giving up: workers may learn from the
// first pieces.
const fewMisfits = 16

// A Fold adds pieces to a state. It gives up if most of them do not fit.
type Fold[P any] struct {
	state   State[P]
	pieces  int
	misfits int // number of pieces that did not fit
	gaveUp  atomic.Bool
}

// New returns a Fold without pieces.
func New[P any](s State[P]) *Fold[P] { return &Fold[P]{state: s} }

// Add adds the next piece.
func (f *Fold[P]) Add(piece P) error {
	f.pieces++
	if f.state.Fits(piece) {
		return f.state.Take(piece)
	}
	if f.misfits++; f.misfits > fewMisfits && f.misfits > f.pieces/2 {
		f.GiveUp()
	}
	return f.state.Again(piece)
}

// GiveUp notes that no further piece will fit.
func (f *Fold[P]) GiveUp() { f.gaveUp.Store(true) }

// GaveUp reports whether workers only need to find the ends of their pieces. Workers may call it
// while pieces are added.
func (f *Fold[P]) GaveUp() bool { return f.gaveUp.Load() }
