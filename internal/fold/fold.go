// Package fold joins pieces of a sequence that workers made without the state from before, which
// they assumed. A piece is taken as it is if the assumption was right, and made again if not.
package fold

import "sync/atomic"

// State is the state after the pieces so far, such as a printer that has printed them.
type State[P any] interface {
	// Fits reports whether a piece is what it would be if it were made after the pieces so far.
	Fits(piece P) bool
	// Take adds a piece that fits, and continues at its end.
	Take(piece P) error
	// Again makes a piece that does not fit once more, and adds it.
	Again(piece P) error
}

// fewMisfits are no reason to give up: workers may need the first pieces to learn from.
const fewMisfits = 16

// A Fold adds pieces to a state. It gives up if most of them do not fit.
type Fold[P any] struct {
	state   State[P]
	pieces  int
	misfits int // of the pieces
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

// GiveUp tells workers that no further piece will fit.
func (f *Fold[P]) GiveUp() { f.gaveUp.Store(true) }

// GaveUp reports whether workers should only find where their pieces end, which is then all that is
// needed of them. Workers may call it while pieces are added.
func (f *Fold[P]) GaveUp() bool { return f.gaveUp.Load() }
