package export

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tracec/tracec/runtime/uftrace"
)

// recordDate is the bit of the file info for the date and the elapsed time of the program.
const recordDate uftrace.InfoField = 1 << 11

// sampleTime returns the duration of one count in ns. It is a microsecond, or longer to keep the
// number of counts below a million. If the length of the recording is unknown, it is 0, and calls
// are counted.
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

// flame writes folded stacks, such as `main;step;spin 12`, from the root of the tree down.
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

// folded holds the state of writing lines.
type folded struct {
	*tree
	sample uint64
	w      io.Writer
	out    []byte
	err    error
}

// fold writes a node and its descendants. path is the path of its caller. fold may overwrite the
// capacity beyond path.
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

// count returns the number of samples of a node without its callees. If sample is 0, it returns the
// number of calls. The rest of a call beyond whole samples counts for its caller.
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

// appendCount appends a count. uftrace prints at most as many digits as the path has characters and
// drops the others.
func (f *folded) appendCount(dst []byte, count uint64, room int) []byte {
	n := len(dst)
	dst = strconv.AppendUint(dst, count, 10)
	if !f.opts.Exact && len(dst)-n > room {
		dst = dst[:n+room]
	}
	return dst
}
