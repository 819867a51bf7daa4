package record

import "math"

// losers is a loser tree: losers[1:] are inner nodes that hold the loser of the match played there, and leaf i is at
// position len(losers)+i.
type losers []player

// player is what a match needs of a stream, so that matches touch no memory but the tree.
type player struct {
	time  uint64
	order int32 // tie break; a stream that ended sorts after all live ones
	leaf  int32
}

func (x player) before(y player) bool {
	return x.time < y.time || x.time == y.time && x.order < y.order
}

// newLosers plays all matches. Player i is at leaf i.
func newLosers(players []player) (t losers, win player) {
	n := len(players)
	t = make(losers, n)
	winners := make([]player, 2*n)
	copy(winners[n:], players)
	for node := n - 1; node >= 1; node-- {
		a, b := winners[2*node], winners[2*node+1]
		if b.before(a) {
			a, b = b, a
		}
		winners[node], t[node] = a, b
	}
	return t, winners[1]
}

// replay plays the matches on the way from the leaf of the last winner to the root, with what is w now.
func (t losers) replay(w player) player {
	for node := (len(t) + int(w.leaf)) >> 1; node >= 1; node >>= 1 {
		if l := t[node]; l.before(w) {
			t[node], w = w, l
		}
	}
	return w
}

// limit returns the time up to which the winner's records come before the runner-up's head. The runner-up
// lost against the winner, so it is on the winner's path to the root.
func (t losers) limit(win player) uint64 {
	if len(t) < 2 {
		return math.MaxUint64
	}
	best := player{math.MaxUint64, math.MaxInt32, -1}
	for node := (len(t) + int(win.leaf)) >> 1; node >= 1; node >>= 1 {
		if l := t[node]; l.before(best) {
			best = l
		}
	}
	if win.order < best.order {
		return best.time
	}
	return best.time - 1 // the winner's head is earlier than that time, which therefore is not 0
}
