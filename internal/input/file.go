package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/archive"
)

// maxDepth bounds the levels of packing: a .dat.gz in a .tar.xz has two.
const maxDepth = 4

// file opens a file. cut is the reason why it is incomplete, or nil.
func (o *opener) file(f *File, cut error) error { return o.fileAt(f, cut, 0) }

func (o *opener) fileAt(f *File, cut error, depth int) error {
	head := make([]byte, min(headSize, f.Size))
	if n, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", o.in.Name, err)
	} else {
		head = head[:n]
	}
	if p := archive.PackingOf(head); p != nil && depth < maxDepth {
		return o.unpack(p, f, depth)
	}
	if archive.IsTar(head) && depth < maxDepth {
		return o.archive(f, cut, depth)
	}
	o.in.File = f
	if cut != nil {
		o.in.damage = append(o.in.damage, fmt.Errorf("%s: offset %d, unpacked: %w", o.in.Name, f.Size, cut))
	}
	if o.in.Kind = o.is(&Probe{Head: head}); o.in.Kind < 0 {
		o.in.what, o.in.named = describe(head)
	}
	return nil
}

// unpack opens the contents of a packed file.
func (o *opener) unpack(p *archive.Packing, f *File, depth int) error {
	src := &readerAt{ctx: o.ctx, src: f, size: f.Size, progress: o.progress}
	r, err := p.Open(src, f.Size, o.memory)
	if err != nil {
		return o.unreadable(err)
	}
	defer r.Close()
	in := bufio.NewReaderSize(r, headSize)
	head, err := in.Peek(headSize)
	if o.ctx.Err() != nil {
		return o.ctx.Err()
	}
	if len(head) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return o.unreadable(err)
	}
	plainly := archive.PackingOf(head) == nil && !archive.IsTar(head)
	kind := -1
	if plainly {
		kind = o.is(&Probe{Head: head})
	}
	if plainly && kind < 0 {
		what, _ := describe(head)
		if what == "" {
			what = "something unknown"
		}
		o.in.File, o.in.what, o.in.named = f, p.Name+" of "+what, true // there is no reason to unpack it
		return nil
	}
	o.in.Place = ""
	var extent func(io.ReaderAt, int64) (int64, bool)
	switch {
	case kind >= 0:
		extent = o.kinds[kind].Extent
	case archive.IsTar(head):
		extent = archive.Extent
	}
	plain, size, cut, err := o.spool(in, extent)
	if err != nil {
		return err
	}
	return o.fileAt(&File{ReaderAt: plain, Size: size}, cut, depth+1)
}

// unreadable returns the error for an archive that cannot be unpacked at all.
func (o *opener) unreadable(err error) error {
	if o.ctx.Err() != nil {
		return o.ctx.Err()
	}
	return fmt.Errorf("%s: unpack: %w", o.in.Name, err)
}

// readerAt ends when its context is done, and records the progress of reading.
type readerAt struct {
	ctx      context.Context
	src      io.ReaderAt
	size     int64
	progress Progress
}

func (r *readerAt) ReadAt(p []byte, off int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.src.ReadAt(p, off)
	r.progress(off+int64(n), r.size)
	return n, err
}

// archive opens the recording in a tar archive.
func (o *opener) archive(f *File, cut error, depth int) error {
	o.in.Place = ""
	dir := archive.Index(o.ctx, o.in.Name, f, f.Size, cut)
	if err := o.ctx.Err(); err != nil {
		return err
	}
	for _, d := range dir.Damage() {
		o.in.damage = append(o.in.damage, d)
	}
	if n := dir.DamageStats().Count - int64(len(dir.Damage())); n > 0 {
		o.in.damage = append(o.in.damage, fmt.Errorf("%s: %d more places of the archive are damaged", o.in.Name, n))
	}
	found := o.search(dir, search{levels: maxLevels, files: maxFiles})
	if len(found) == 0 {
		what, _ := contents(dir)
		o.in.Dir, o.in.what, o.in.named = dir, "an archive without a recording: "+what, true
		return nil
	}
	if len(found) > 1 {
		o.in.Dir, o.in.several, o.in.named = dir, severalOf(found), true
		o.in.hint = "unpack it and "
		return nil
	}
	return o.take(dir, found[0], depth+1)
}
