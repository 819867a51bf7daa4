package main

import (
	"bytes"
	"errors"
	"io"
)

// window is the number of blocks that the aligner looks ahead for the next pair of equal keys. It
// bounds the memory, and is wider than any burst of lost or added lines in a sane report. For
// outputs of uftrace it is larger, since they are short, and may lack all symbols of a program.
const (
	window      = 512
	shortWindow = 4096
)

// A pair is one step of the comparison. If one side has a block without a partner, the other is
// nil. Both are valid until the handler returns.
type pair struct{ ref, ours *block }

// some returns our block, or the reference's if we have none.
func (p pair) some() *block {
	if p.ours != nil {
		return p.ours
	}
	return p.ref
}

// side is one text, with the blocks read ahead.
type side struct {
	r     *blockReader
	queue []*block
	free  []*block
	eof   bool
	err   error
}

func (s *side) peek(n int) bool {
	for len(s.queue) <= n && !s.eof {
		b := new(block)
		if k := len(s.free); k > 0 {
			b, s.free = s.free[k-1], s.free[:k-1]
		}
		if err := s.r.next(b); err != nil {
			s.eof = true
			if !errors.Is(err, io.EOF) {
				s.err = err
			}
			break
		}
		s.queue = append(s.queue, b)
	}
	return len(s.queue) > n
}

func (s *side) drop(n int) {
	s.free = append(s.free, s.queue[:n]...)
	s.queue = append(s.queue[:0], s.queue[n:]...)
}

// align compares two texts block by block and calls fn for every pair.
//
// If the keys differ, align searches for the nearest place at which both texts agree again. It
// prefers the place with the fewest skipped blocks. The blocks before that place have no partner,
// or are paired in order. If the texts never agree again, align pairs the two current blocks.
func align(ref, ours *blockReader, window int, fn func(pair)) (refErr, oursErr error) {
	a, b := &side{r: ref}, &side{r: ours}
	for {
		okA, okB := a.peek(0), b.peek(0)
		switch {
		case !okA && !okB:
			return a.err, b.err
		case !okA:
			fn(pair{ours: b.queue[0]})
			b.drop(1)
		case !okB:
			fn(pair{ref: a.queue[0]})
			a.drop(1)
		case bytes.Equal(a.queue[0].key, b.queue[0].key):
			fn(pair{a.queue[0], b.queue[0]})
			a.drop(1)
			b.drop(1)
		default:
			i, j := resync(a, b, window)
			skip(a, b, i, j, fn)
		}
	}
}

// resync finds the numbers of blocks to skip on each side until the keys agree again.
func resync(a, b *side, window int) (int, int) {
	a.peek(window)
	b.peek(window)
	first := make(map[string]int, len(b.queue)) // the first index in b, by key
	for j := len(b.queue) - 1; j >= 0; j-- {
		first[string(b.queue[j].key)] = j
	}
	bestI, bestJ := -1, -1
	for i, x := range a.queue {
		if bestI >= 0 && i >= bestI+bestJ {
			break
		}
		if j, ok := first[string(x.key)]; ok && (bestI < 0 || i+j < bestI+bestJ) {
			bestI, bestJ = i, j
		}
	}
	if bestI < 0 {
		return 1, 1
	}
	return bestI, bestJ
}

// skip passes the first i blocks of a and j of b to fn. If both numbers are equal, they are pairs,
// because some column must differ. Otherwise they have no partners.
func skip(a, b *side, i, j int, fn func(pair)) {
	if i == j {
		for k := range i {
			fn(pair{a.queue[k], b.queue[k]})
		}
	} else {
		for k := range i {
			fn(pair{ref: a.queue[k]})
		}
		for k := range j {
			fn(pair{ours: b.queue[k]})
		}
	}
	a.drop(i)
	b.drop(j)
}
