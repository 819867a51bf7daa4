package ftrace

import "github.com/tracec/tracec/compiler/ir"

// weight counts the nodes of a rendering program as a tree. A part shared in memory counts as often
// as a back end would emit it, so that `x = x + x;` forty times over has its real cost. The count
// saturates a little above maxNodes.
func weight(stmts []ir.Stmt) int { return weigher{}.node(&ir.Program{Body: stmts}) }

// weigher caches the weight of shared parts.
type weigher map[any]int

func (w weigher) node(n any) int {
	if known, ok := w[n]; ok {
		return known
	}
	sum := 1
	ir.Parts(n, func(part any) { sum = min(sum+w.node(part), maxNodes+1) })
	w[n] = sum
	return sum
}
