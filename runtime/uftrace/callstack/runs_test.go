package callstack_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// calls is a caller of Runs that records all events as lines, and adds up the calls of each thread
// in a tree.
type calls struct {
	*rapid.T
	player  *callstack.Player
	descend bool
	list    []string
	sums    callstack.Sums
	places  []callstack.Place
	roots   []callstack.Node
	in      int // number of records that Descend has followed
}

func newCalls(t *rapid.T, p *callstack.Player, descend bool) *calls {
	n := len(p.Tasks())
	c := &calls{T: t, player: p, descend: descend, places: make([]callstack.Place, n), roots: make([]callstack.Node, n)}
	for i := range c.places {
		c.places[i] = callstack.Place{Node: &c.roots[i], Span: math.MaxUint64}
	}
	return c
}

func (c *calls) of() callstack.Calls {
	of := callstack.Calls{Entered: c.entered, Left: c.left, Other: c.other}
	if c.descend {
		of.Descend = func(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) int {
			if rapid.IntRange(0, 3).Draw(c.T, "part") == 0 {
				recs = recs[:rapid.IntRange(0, len(recs)).Draw(c.T, "size")]
			}
			n := c.player.Descend(t, &c.places[t.Index], &c.sums, recs, ents)
			c.in += n
			return n
		}
	}
	return of
}

// step is a step of Next.
func (c *calls) step(s *callstack.Step) {
	switch s.Entry.Kind {
	case uftrace.Enter:
		c.entered(s.Task, s.Record, s.Entry)
	case uftrace.Leave:
		c.left(s.Task, s.Record, s.Entry, s.Frame)
	default:
		c.other(s)
	}
}

func (c *calls) other(s *callstack.Step) {
	c.add(fmt.Sprint(s.Entry.Kind, s.Task.TID, *s.Record, s.Frame != nil))
}

// add records a line for an event that the tree does not contain.
func (c *calls) add(line string) {
	if !c.descend {
		c.list = append(c.list, line)
	}
}

func (c *calls) entered(t *callstack.Task, r *record.Record, e *uftrace.Entry) {
	c.add(fmt.Sprint("enter ", t.TID, t.Depth, len(t.Stack), len(t.Callers()), *r, e.Addr))
	at := &c.places[t.Index]
	kid := at.Node.Known(e.Sym)
	if kid == nil {
		name := fmt.Sprint(e.Addr)
		if e.Sym != nil {
			name = e.Sym.Name
		}
		kid, _ = at.Node.Kid(name, e.Addr, e.Sym)
	}
	kid.Calls++
	at.Node = kid
}

func (c *calls) left(t *callstack.Task, r *record.Record, _ *uftrace.Entry, f *callstack.Frame) {
	c.add(fmt.Sprint("leave ", t.TID, t.Depth, len(t.Stack), *r, f.Addr, f.Start, f.Total, f.Child, t.Recursive(f)))
	at := &c.places[t.Index]
	if at.Node.Parent != nil {
		c.sums.Ended(at.Node, f.Total, f.Child)
		at.Node = at.Node.Parent
	}
}

// texts returns the recorded lines, the trees and the states of the threads.
func (c *calls) texts() []string {
	list := c.list
	for i, t := range c.player.Tasks() {
		list = append(list, fmt.Sprint(t.TID, t.Depth, t.Last, t.Before, t.Comm, len(t.Stack)))
		for _, f := range t.Stack {
			list = append(list, fmt.Sprint("open ", f.Addr, f.Start, f.Child, f.Hidden))
		}
		list = appendTree(list, &c.roots[i])
	}
	return append(list, fmt.Sprint(c.player.Err(), c.player.Any(), c.player.First(), c.player.Off()))
}

func appendTree(list []string, n *callstack.Node) []string {
	list = append(list, fmt.Sprint(n.Level, n.Name, n.Addr, n.Calls, n.Time, n.Child))
	for _, kid := range n.Kids {
		list = appendTree(list, kid.Node)
	}
	return list
}

// TestRuns: runs and steps together are the steps of Next, even in damaged recordings.
func TestRuns(t *testing.T) {
	recordings := uftracetest.All(t)
	in := 0
	rapid.Check(t, func(t *rapid.T) {
		files := uftracetest.Random(t)
		if rapid.Bool().Draw(t, "saved") {
			files = uftracetest.Damaged(t, recordings, 4, rapid.Bool().Draw(t, "cut"))
		}
		opts := anyOptions(t)
		opts.Steps = callstack.Single
		for _, descend := range []bool{false, true} {
			want, _ := followed(t, files, opts, descend, false)
			got, n := followed(t, files, opts, descend, true)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%+v, tree %v (-steps +runs):\n%s", opts, descend, d)
			}
			in += n
		}
	})
	if in == 0 {
		t.Error("Descend followed nothing")
	}
}

// followed returns the events that a caller of All, or of Runs, gets, and the number of records
// that Descend followed.
func followed(t *rapid.T, files fstest.MapFS, opts callstack.Options, descend, runs bool) ([]string, int) {
	rec, err := uftrace.OpenFS(files, "x")
	if err != nil {
		return nil, 0
	}
	defer rec.Close()
	p, err := callstack.New(rec, opts)
	if err != nil {
		return []string{err.Error()}, 0
	}
	c := newCalls(t, p, descend)
	if runs {
		if err := p.Runs(t.Context(), c.of()); err != nil {
			t.Fatal(err)
		}
		return c.texts(), c.in
	}
	for s := range p.All(t.Context()) {
		c.step(s)
	}
	return c.texts(), 0
}

// TestRunsEnd: an error of the caller, or a done context, ends Runs.
func TestRunsEnd(t *testing.T) {
	full := errors.New("full")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		ctx       context.Context
		err, want error
	}{{t.Context(), nil, nil}, {t.Context(), full, full}, {ctx, nil, context.Canceled}} {
		rec := uftracetest.Open(t, uftracetest.Files(t, "abc-full"))
		p, err := callstack.New(rec, callstack.Options{Limits: callstack.Limits{Depth: 3}, Steps: callstack.Single})
		if err != nil {
			t.Fatal(err)
		}
		ends := 0
		err = p.Runs(test.ctx, callstack.Calls{
			Left:  func(*callstack.Task, *record.Record, *uftrace.Entry, *callstack.Frame) { ends++ },
			Other: func(*callstack.Step) {},
			Err:   func() error { return test.err },
		})
		if !errors.Is(err, test.want) || (ends > 0) != (test.want == nil) {
			t.Errorf("%v after %d calls, want %v", err, ends, test.want)
		}
	}
}
