package profile

// path is the path from a root to a stack. Samples of a thread share most of their outer frames
// with the previous sample. These frames are not looked up.
type path struct {
	steps []step // of this sample, then the rest of the previous sample
	same  int    // number of steps of this sample
	at    int32  // the stack
}

// step is a frame, and the stack that it leads to.
type step struct{ frame, node int32 }

// begin returns to a root.
func (p *path) begin(root int32) { p.same, p.at = 0, root }

// child is [tree.child] for the stack of the path.
func (p *path) child(t *tree, frame int32) {
	if p.same < len(p.steps) && p.steps[p.same].frame == frame {
		p.at = p.steps[p.same].node
		p.same++
		return
	}
	n := t.child(p.at, frame)
	p.steps = p.steps[:p.same]
	// Other stacks must be counted each time.
	if x := &t.nodes[n]; x.parent == p.at && x.frame == frame && frame > deepFrame {
		p.steps = append(p.steps, step{frame, n})
		p.same++
	}
	p.at = n
}
