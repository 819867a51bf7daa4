package profile

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPath: the path of a thread leads to the same stacks as looking up each frame, and the same
// number of stacks is beyond the limits. The test alternates between threads. It has deep stacks,
// and frames that replace stacks beyond the limits.
func TestPath(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, limit := range []int{20, 300, 1 << 20} {
		a, b := newTree(limit, nil), newTree(limit, nil)
		var roots []int32
		for i := range 3 {
			roots = append(roots, a.root(i))
			b.root(i)
		}
		paths, stack := make([]path, len(roots)), []int32{}
		for range 3000 {
			stack = stack[:r.IntN(len(stack)+1)]
			for range r.IntN(8) {
				stack = append(stack, []int32{otherFrame, 4, 5, 6, 7, 8, 9}[min(r.IntN(60), 6)])
			}
			if r.IntN(200) == 0 {
				stack = append(stack, slices.Repeat([]int32{4}, maxDepth)...)
			}
			i := r.IntN(len(roots))
			at, p := roots[i], &paths[i]
			p.begin(at)
			for _, f := range stack {
				at = a.child(at, f)
				p.child(b, f)
			}
			if p.at != at {
				t.Fatalf("limit %d: stack %d, want %d", limit, p.at, at)
			}
			a.nodes[at].count++
			b.nodes[at].count++
		}
		if d := cmp.Diff(a.nodes, b.nodes, cmp.AllowUnexported(node{})); d != "" {
			t.Errorf("limit %d (-want +got):\n%s", limit, d)
		}
		if a.over != b.over || a.deep != b.deep {
			t.Errorf("limit %d: %d and %d beyond, want %d and %d", limit, b.over, b.deep, a.over, a.deep)
		}
	}
}
