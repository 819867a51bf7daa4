package rewrite

import (
	"context"
	"fmt"
	"io"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracewrite"
)

// ConvertOptions select the format of the new recording.
type ConvertOptions struct {
	Output      string
	Version     int       // 6 or 7; 0 means 7
	Compression string    // "none", "zstd", "zlib" or "any"; "" means any for version 7
	Places      io.Writer // receives the offsets of the data
}

// Convert writes the recording in another format. All sub-buffers remain as recorded. The error is
// report.ErrDamaged if parts were unreadable and everything else was written.
func Convert(ctx context.Context, rec *ftrace.Recording, o ConvertOptions, job *report.Job) error {
	f, err := o.format()
	if err != nil {
		return err
	}
	s := newSource(rec, job)
	h, err := s.header(f, rec.Buffers())
	if err != nil {
		return err
	}
	w, err := tracewrite.Create(o.Output, h)
	if err != nil {
		return fmt.Errorf("%s: %w", o.Output, err)
	}
	defer w.Abort()
	s.options(w)
	pages := s.pages()
	for i, b := range rec.Buffers() {
		if err := s.buffer(ctx, w, i, b, pages[i]); err != nil {
			return fmt.Errorf("%s: %w", o.Output, err)
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("%s: %w", o.Output, err)
	}
	places(o.Places, &h, w.Data())
	return s.finish()
}

func (o *ConvertOptions) format() (format, error) {
	f := format{o.Version, o.Compression}
	switch {
	case o.Output == "":
		return f, &report.UsageError{Err: errNoOutput}
	case f.version == 0:
		f.version = 7
	}
	if f.compression == "any" || f.compression == "" && f.version == 7 {
		f.compression = "zstd"
	}
	if c := f.compression; c != "" && c != "none" && c != "zstd" && c != "zlib" {
		return f, report.Usagef("--compression: invalid name %q (want any, none, zstd or zlib)", c)
	}
	if f.version == 6 && f.compression != "" && f.compression != "none" {
		return f, report.Usagef("--compression: version 6 has no compression")
	}
	return f, nil
}

// pages opens all CPUs of all buffers for reading.
func (s *source) pages() (pages [][]*ftrace.PageReader) {
	for _, b := range s.rec.Buffers() {
		list := make([]*ftrace.PageReader, len(b.CPUs))
		for i := range b.CPUs {
			list[i] = b.PageReader(&b.CPUs[i])
			s.job.Reads(list[i])
		}
		pages = append(pages, list)
	}
	return pages
}

// buffer copies a buffer.
func (s *source) buffer(
	ctx context.Context, w *tracewrite.Writer, i int, b *ftrace.Buffer, pages []*ftrace.PageReader,
) error {
	if err := w.Buffer(i); err != nil {
		return err
	}
	if text := b.Text(); text != nil {
		return w.Text(text)
	}
	for j := range b.CPUs {
		c := &b.CPUs[j]
		if err := w.CPU(c.ID); err != nil {
			return err
		}
		for page, ok := pages[j].Next(); ok; page, ok = pages[j].Next() {
			err := ctx.Err()
			switch {
			case err != nil:
			case len(page) < b.PageSize:
				err = s.shortPage(w, b, c, page)
			default:
				err = w.Page(page)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
