package record

import "math"

// nearby is how many heads a queue keeps sorted.
const nearby = 24

// queue orders the heads of streams. Those that come first are sorted: the winner's limit is the
// time of its neighbour, and the next head of its stream mostly belongs a step or two after it,
// since few streams are busy at a time. The others, which lie ahead of all of these, are in a heap
// that is touched when one goes there, or when no head is near.
type queue struct {
	// near has n heads, then the first of far, then nobody: the search for a place ends there.
	near [nearby + 2]player
	n    int
	far  heap
}

// player is what order needs of a stream: the time of its head, and its position, which decides
// between equal times.
type player struct {
	time  uint64
	order int32
}

func (x player) before(y player) bool {
	return x.time < y.time || x.time == y.time && x.order < y.order
}

// nobody is after all players.
var nobody = player{math.MaxUint64, math.MaxInt32}

func newQueue(players []player) queue {
	q := queue{far: make(heap, 0, len(players))}
	for _, p := range players {
		q.far.push(p)
	}
	q.refill()
	return q
}

// refill brings the first heads near when none is.
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
	earlier := limit - 1 // the winner's head is before that time, which therefore is not 0
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

// pass is replace for a head that is after that of the neighbour, as it is at the end of a run.
func (q *queue) pass(time uint64) {
	w := player{time, q.near[0].order}
	q.near[0] = q.near[1]
	i := 2
	for i < len(q.near) && q.near[i].before(w) {
		q.near[i-1] = q.near[i]
		i++
	}
	if q.near[i-1] = w; i > q.n {
		q.near[i-1] = nobody // the first of far has moved up to the place before
		q.putFar(w)
	}
}

// putFar puts the head away that no near one is after.
func (q *queue) putFar(w player) {
	q.far.push(w)
	if q.n--; q.n == 0 {
		q.refill()
	}
}

// remove leaves out the winner's stream, which has ended.
func (q *queue) remove() {
	copy(q.near[:q.n+1], q.near[1:q.n+2])
	if q.n--; q.n == 0 {
		q.refill()
	}
}

// insert adds the head of a stream that had none.
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

// heap is a binary heap with the first player on top. That of container/heap would call an
// interface for each step.
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
