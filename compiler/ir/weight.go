package ir

// Measured memory of compiled programs, in bytes: for nodes of the IR with their closures, and for
// rows of tables.
const (
	nodeBytes = 64
	rowBytes  = 80
	mostNodes = 1 << 30
)

// Memory estimates the memory of a compiled event, in bytes. A node that is shared becomes a
// closure at each use.
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

// Weight counts the nodes of a program as a tree. A part that is shared in memory counts as often
// as a back end would emit it. So `x = x + x;` forty times over has its true cost. The count ends
// at most+1.
func Weight(body []Stmt, most int) int {
	w := weigher{most: most, known: map[any]int{}}
	return w.node(&Program{Body: body})
}

// weigher caches the weights of shared parts.
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
