package profile

// path is the way from a root to a stack. Samples of a thread share most of their outer frames with
// the sample before: these are not looked up.
type path struct {
	steps []step // of the sample before, as far as they are the same, and of this one
	same  int    // of them are of this one
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
	if x := &t.nodes[n]; x.parent == p.at && x.frame == frame && frame > deepFrame { // others count each time
		p.steps = append(p.steps, step{frame, n})
		p.same++
	}
	p.at = n
}
