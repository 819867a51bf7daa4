package export

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tracec/tracec/runtime/uftrace"
)

// recordDate is the bit of the file info that says that there is a date and how long the program
// ran.
const recordDate uftrace.InfoField = 1 << 11

// sampleTime is what one count stands for, in ns: a microsecond, or more so that a recording has
// less than a million counts. Without the length of the recording it is 0, and calls are counted.
func sampleTime(in *uftrace.Info) uint64 {
	if in.Fields&recordDate == 0 {
		return 0
	}
	number, _, _ := strings.Cut(in.Elapsed, " ")
	elapsed, err := strconv.ParseFloat(number, 64)
	if err != nil {
		elapsed = 0
	}
	sample := uint64(time.Microsecond)
	for sample < uint64(time.Second) && float64(sample)*1e6 < elapsed*1e9 {
		sample *= 10
	}
	return sample
}

// flame writes folded stacks: `main;step;spin 12`, from the top of the tree down.
func flame(ctx context.Context, rec *uftrace.Recording, opts *Options, w io.Writer) error {
	sample := opts.Sample
	if sample == 0 {
		sample = sampleTime(rec.Info())
	}
	t, err := newTree(ctx, rec, opts, sample)
	if t == nil {
		return err
	}
	f := &folded{tree: t, sample: sample, w: w}
	for _, c := range t.root.Kids {
		f.fold(nil, c.Node)
	}
	if f.err != nil {
		return f.err
	}
	if _, err := w.Write(f.out); err != nil {
		return err
	}
	return err
}

// folded collects lines.
type folded struct {
	*tree
	sample uint64
	w      io.Writer
	out    []byte
	err    error
}

// fold writes a node and what is below it. path is that of its caller; the room after it is free to
// use.
func (f *folded) fold(path []byte, n *node) {
	if n.Parent != f.root {
		path = append(path, ';')
	}
	path = append(path, n.Name...)
	if count := count(n, f.sample); count > 0 {
		f.out = append(append(f.out, path...), ' ')
		f.out = append(f.appendCount(f.out, count, len(path)), '\n')
		if len(f.out) >= flushSize && f.err == nil {
			_, f.err = f.w.Write(f.out)
			f.out = f.out[:0]
		}
	}
	for _, c := range n.Kids {
		if f.err != nil {
			return
		}
		f.fold(path, c.Node)
	}
}

// count is how many samples the node took without those of what it called, or how often it was
// called. What a call takes beyond whole samples is given back to its caller.
func count(n *node, sample uint64) uint64 {
	if sample == 0 {
		return n.Calls
	}
	own := int64(n.Time - n.Child)
	for _, k := range n.Kids {
		own += int64(k.Rest)
	}
	if own < 0 {
		return 0
	}
	return uint64(own) / sample
}

// appendCount writes a count. uftrace has room for as many digits as the path has characters and
// cuts the rest off.
func (f *folded) appendCount(dst []byte, count uint64, room int) []byte {
	n := len(dst)
	dst = strconv.AppendUint(dst, count, 10)
	if !f.opts.Exact && len(dst)-n > room {
		dst = dst[:n+room]
	}
	return dst
}
