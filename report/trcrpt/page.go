package trcrpt

import "slices"

// page counts lines and inserts headings.
type page struct {
	line   int  // number of lines on this page
	block  bool // the heading block has begun
	headed bool // the columns have their heading
	filled bool // the page has events
}

// heading returns the line of titles and the empty line after it.
func (p *page) heading(c *columns) []byte { return append(c.titles(), "\n\n"...) }

// begin prepares the first page: an empty line ends the heading block.
func (p *page) begin(r *printer) {
	if p.headed {
		return
	}
	p.headed = true
	if p.block {
		r.out.buf = append(r.out.buf, '\n')
		p.line++
	}
	if !r.opts.NoHeading {
		r.out.buf = append(r.out.buf, p.heading(r.columns)...)
		p.line += 2
	}
}

// zero counts the lines of an event of level 0. Its output starts at the byte begin. The first such
// event begins the heading block.
func (p *page) zero(r *printer, begin, lines int) {
	if !p.headed && !p.block {
		p.block = true
		r.out.buf = slices.Insert(r.out.buf, begin, '\n')
		lines++
	}
	p.line += lines
}

// next returns the line on which a one-line event begins: $LINENO. makeRoom may move a longer event
// to the next page later.
func (p *page) next(o *Options) int {
	switch {
	case o.PageSize == 0 || !p.filled || p.line < o.PageSize:
		return p.line + 1
	case o.NoHeading:
		return 1
	}
	return 3
}

// makeRoom moves the lines of an event to a new page if they do not fit on this one. The lines
// start at the byte begin.
func (p *page) makeRoom(r *printer, begin, lines int) {
	size := r.opts.PageSize
	if p.filled && p.line+lines > size {
		head := make([]byte, 0, 256)
		for ; p.line < size; p.line++ {
			head = append(head, '\n')
		}
		p.line = 0
		if !r.opts.NoHeading {
			head = append(head, p.heading(r.columns)...)
			p.line = 2
		}
		r.out.buf = slices.Insert(r.out.buf, begin, head...)
	}
}
