package replay

import "github.com/tracec/tracec/report/uftrace/values"

// missed reports filters that match no function, at the same place and in the same words as
// uftrace.
func (p *printer) missed() {
	if m := p.player.Missed(); m != "" {
		p.buf = append(p.buf, "Usage: failed to set filter or trigger: "...)
		p.buf = append(p.buf, m...)
		p.buf = append(p.buf, '\n')
	}
}

// header prints the names of the columns once, when it is known whether there is a record.
func (p *printer) header() {
	if p.begun {
		return
	}
	p.begun = true
	if len(p.fields) == 0 {
		return
	}
	if !p.opts.Layout.Flat && p.player.Any() { // without a record uftrace ends the line at once
		p.headings()
	}
	if p.opts.Text.SrcLine {
		p.buf = p.gray(p.buf, " [SOURCE]")
	}
	p.buf = append(p.buf, '\n')
}

func (p *printer) headings() {
	p.buf = append(p.buf, '#')
	for i, f := range p.fields {
		if i > 0 {
			p.buf = append(p.buf, ' ')
		}
		h := headings[f]
		if f == tid && p.opts.Style == values.V019 {
			h = "   TID   "
		}
		p.buf = append(p.buf, h...)
	}
	p.buf = append(p.buf, "   FUNCTION"...)
}
