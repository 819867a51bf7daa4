package ir

// Bytes of memory that compiled programs take, measured: the nodes of the IR with the closures made
// of them, and rows of tables.
const (
	nodeBytes = 64
	rowBytes  = 80
	mostNodes = 1 << 30
)

// Memory estimates the bytes that an event takes, compiled. A node that is shared becomes a closure
// wherever it is used.
func Memory(ev *Event) int64 {
	w := weigher{most: mostNodes, known: map[any]int{}}
	nodes := w.node(&Program{Body: ev.Text}) + w.node(&Program{Body: ev.Decode})
	bytes := int64(nodes) * nodeBytes
	seen := map[*Table]bool{}
	for n := range w.known {
		for _, t := range Tables(n) {
			if seen[t] {
				continue
			}
			seen[t] = true
			bytes += int64(len(t.Rows)) * rowBytes
			for _, r := range t.Rows {
				bytes += int64(len(r.Text))
			}
		}
	}
	return bytes
}

// Weight counts the nodes of a program as a tree: a part shared in memory counts as often as a back
// end would emit it, so that `x = x + x;` forty times over is seen for what it costs. The count
// ends at most+1.
func Weight(body []Stmt, most int) int {
	w := weigher{most: most, known: map[any]int{}}
	return w.node(&Program{Body: body})
}

// weigher remembers the weight of what is shared.
type weigher struct {
	most  int
	known map[any]int
}

func (w *weigher) node(n any) int {
	if known, ok := w.known[n]; ok {
		return known
	}
	sum := 1
	Parts(n, func(part any) { sum = min(sum+w.node(part), w.most+1) })
	w.known[n] = sum
	return sum
}
