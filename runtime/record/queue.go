package record

import "math"

// nearby is the number of heads that a queue keeps sorted.
const nearby = 24

// A queue orders the heads of streams. The first heads are sorted: the winner's limit is the time
// of its neighbour. Few streams are busy at a time, so the next head of a stream usually belongs a
// step or two after it. The other heads are later than all of these and are in a heap. The heap is
// used only if a head moves there, or if no head is near.
type queue struct {
	// near holds n heads, then the first head of far, then nobody. The search for a place ends at
	// nobody.
	near [nearby + 2]player
	n    int
	far  heap
}

// A player is the time of a stream's head, and the stream's position. The position decides between
// equal times.
type player struct {
	time  uint64
	order int32
}

func (x player) before(y player) bool {
	return x.time < y.time || x.time == y.time && x.order < y.order
}

// nobody sorts after all players.
var nobody = player{math.MaxUint64, math.MaxInt32}

func newQueue(players []player) queue {
	q := queue{far: make(heap, 0, len(players))}
	for _, p := range players {
		q.far.push(p)
	}
	q.refill()
	return q
}

// refill moves the first heads of far to near if near is empty.
func (q *queue) refill() {
	for q.n = 0; q.n < nearby && len(q.far) > 0; q.n++ {
		q.near[q.n] = q.far.pop()
	}
	q.near[q.n], q.near[q.n+1] = nobody, nobody
	if len(q.far) > 0 {
		q.near[q.n] = q.far[0]
	}
}

// limit returns the time up to which records of the winner come before the head of any other
// stream.
func (q *queue) limit() uint64 {
	limit := q.near[1].time
	earlier := limit - 1 // the winner's head is before that time, so it is not 0
	if q.near[0].order > q.near[1].order {
		limit = earlier
	}
	return limit
}

// replace gives the winner's stream a new head.
func (q *queue) replace(time uint64) {
	if w := (player{time, q.near[0].order}); w.before(q.near[1]) {
		q.near[0] = w
		return
	}
	q.pass(time)
}

// pass is replace for a head later than the neighbour's, as at the end of a run.
func (q *queue) pass(time uint64) {
	w := player{time, q.near[0].order}
	q.near[0] = q.near[1]
	i := 2
	for i < len(q.near) && q.near[i].before(w) {
		q.near[i-1] = q.near[i]
		i++
	}
	if q.near[i-1] = w; i > q.n {
		q.near[i-1] = nobody // the first head of far has moved up to the place before
		q.putFar(w)
	}
}

// putFar moves a head to the heap. No near head is later.
func (q *queue) putFar(w player) {
	q.far.push(w)
	if q.n--; q.n == 0 {
		q.refill()
	}
}

// remove removes the winner's stream, which has ended.
func (q *queue) remove() {
	copy(q.near[:q.n+1], q.near[1:q.n+2])
	if q.n--; q.n == 0 {
		q.refill()
	}
}

// insert adds the head of a stream that had no head.
func (q *queue) insert(p player) {
	if len(q.far) > 0 && !p.before(q.far[0]) || q.n == nearby && !p.before(q.near[q.n-1]) {
		q.far.push(p)
		q.near[q.n] = q.far[0]
		return
	}
	if q.n == nearby {
		q.n--
		q.far.push(q.near[q.n])
	}
	i := q.n
	for q.n++; i > 0 && p.before(q.near[i-1]); i-- {
		q.near[i] = q.near[i-1]
	}
	q.near[i] = p
	q.near[q.n], q.near[q.n+1] = nobody, nobody
	if len(q.far) > 0 {
		q.near[q.n] = q.far[0]
	}
}

// A heap is a binary heap with the first player on top. The package container/heap would call an
// interface method for each step.
type heap []player

func (h *heap) push(p player) {
	*h = append(*h, p)
	s, i := *h, len(*h)-1
	for i > 0 && p.before(s[(i-1)/2]) {
		s[i] = s[(i-1)/2]
		i = (i - 1) / 2
	}
	s[i] = p
}

func (h *heap) pop() player {
	s := *h
	top, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for child := 1; child < len(s); child = 2*i + 1 {
		if child+1 < len(s) && s[child+1].before(s[child]) {
			child++
		}
		if last.before(s[child]) {
			break
		}
		s[i] = s[child]
		i = child
	}
	if len(s) > 0 {
		s[i] = last
	}
	return top
}
