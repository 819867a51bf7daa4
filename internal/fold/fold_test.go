package fold_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/fold"
	"github.com/tracec/tracec/internal/ordered"
)

// piece holds the sums of numbers after each of them, computed for an assumed sum before the first.
type piece struct {
	numbers       []int
	assumed, last int
	sums          []int
	skipped       bool // no sums were computed
}

func (p *piece) add(before int) {
	p.assumed, p.last, p.sums, p.skipped = before, before, p.sums[:0], false
	for _, n := range p.numbers {
		p.last += n
		p.sums = append(p.sums, p.last)
	}
}

// sums holds the sums of all pieces so far.
type sums struct {
	list   []int
	last   int
	again  int
	failed error // the error of each later piece
}

func (s *sums) Fits(p *piece) bool { return !p.skipped && p.assumed == s.last }

func (s *sums) Take(p *piece) error {
	s.list, s.last = append(s.list, p.sums...), p.last
	return s.failed
}

func (s *sums) Again(p *piece) error {
	s.again++
	p.add(s.last)
	return s.Take(p)
}

// TestFold: workers compute the sums of pieces, each for a sum of 0 before it. The result equals
// the sums of the whole, for any number of pieces that fit. Only pieces that do not fit are
// computed again.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(-1, 1), 0, 3), 0, 100).Draw(t, "numbers")
		var whole piece
		zero := 0 // pieces that start at a sum of 0
		for _, part := range numbers {
			if whole.add(0); whole.last == 0 {
				zero++
			}
			whole.numbers = append(whole.numbers, part...)
		}
		whole.add(0)
		s, next := &sums{}, 0
		f := fold.New(s)
		err := ordered.Run(context.Background(), 3, ordered.Steps[*piece]{
			New: func() *piece { return new(piece) },
			Fill: func(p *piece) error {
				if next == len(numbers) {
					return io.EOF
				}
				p.numbers = numbers[next]
				next++
				return nil
			},
			Work: func(_ int, p *piece) error {
				p.skipped = f.GaveUp()
				if !p.skipped {
					p.add(0)
				}
				return nil
			},
			Out: f.Add,
		})
		if err != nil || !slices.Equal(s.list, whole.sums) {
			t.Fatalf("%v, %v; want %v", s.list, err, whole.sums)
		}
		if s.again != len(numbers)-zero && !f.GaveUp() {
			t.Fatalf("%d of %d pieces made again, %d fit", s.again, len(numbers), zero)
		}
	})
}

// TestGiveUp: a fold gives up after some misfits, if these are most pieces.
func TestGiveUp(t *testing.T) {
	for _, test := range []struct {
		fit, misfit int // alternating numbers of pieces
		want        bool
	}{{0, 1, true}, {1, 2, true}, {1, 1, false}, {1, 0, false}} {
		s := &sums{}
		f := fold.New(s)
		for i := range 100 {
			p := &piece{}
			if p.add(0); i%(test.fit+test.misfit) >= test.fit {
				p.skipped = true
			}
			if err := f.Add(p); err != nil {
				t.Fatal(err)
			}
			if s.again <= 16 && f.GaveUp() {
				t.Errorf("%+v: given up after %d misfits", test, s.again)
			}
		}
		if f.GaveUp() != test.want {
			t.Errorf("%+v: given up %v after %d misfits", test, f.GaveUp(), s.again)
		}
	}
}

// TestErrors: a fold returns the errors of the state's Add.
func TestErrors(t *testing.T) {
	full := errors.New("full")
	for _, before := range []int{0, 1} {
		p := &piece{}
		p.add(before)
		if err := fold.New(&sums{failed: full}).Add(p); !errors.Is(err, full) {
			t.Errorf("a piece for %d: %v", before, err)
		}
	}
}
