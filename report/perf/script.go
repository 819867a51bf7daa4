// Package perf prints perf.data as perf script does: one line for each sample, and one for each
// frame of its call chain (docs/spec/perf.md 10).
package perf

import (
	"context"
	"fmt"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/symbols/program"
)

// System prints perf.data.
func System() report.System {
	return report.System{Source: sources.Perf(), Report: printReport, List: list, Info: info, Stat: stat,
		Catalog: catalog, ForList: catalog}
}

// printReport is tracec report.
func printReport(ctx context.Context, job *report.Job, o *report.Options) error {
	return Script(ctx, job, &Options{Options: *o, MaxStack: DefaultMaxStack})
}

// printer appends the lines of records. It is for one goroutine.
type printer struct {
	style    style.Style
	opts     *Options
	buf      []byte // the lines
	like     like
	resolver *perf.Resolver // of the symbols of frames
	texts    *texts
	lines    []line // by Event.Index, of attributes
	// sideHeads are the heads of side-band records, by Event.Index of the event with the record's
	// id.
	sideHeads [][]column
	attrs     []*perf.Event
	counters  *counters
	count     uint64 // occurrences that the sample stands for
	selected  bool   // options select samples
	shown     times
	parts     perf.Parts // of the last sample that has fields of them
	extra     extra
}

// extra is the state that some fields of [perf.Parts] need.
type extra struct {
	registers   []string          // names
	cgroups     map[uint64]string // paths, of the records up to now
	sourceWidth int               // of the longest data_src up to now
	lines       []program.Line    // of an address
}

func newPrinter(job *report.Job, rec *perf.Recording, o *Options, changes []change, d defaults) *printer {
	like, machine := likeOf(rec, o.Like), rec.Machine()
	p := &printer{
		style: job.Style, opts: o, like: like,
		resolver: rec.Resolver(), attrs: rec.Attrs(),
		counters: newCounters(rec, like), shown: times{wall: machine.Wall},
		extra: extra{registers: registerNames(machine.Arch), cgroups: map[uint64]string{}},
	}
	p.texts = newTexts(rec, like.plugins && !o.Plain, !rec.Pipe() || o.Plain)
	p.selected = o.selectsSamples()
	p.columns(d, changes)
	return p
}

// append appends the lines of a record.
func (p *printer) append(dst []byte, e *tracec.Event) ([]byte, error) {
	x := e.Entry.(*perf.Entry)
	if i := x.Event.Index; i < len(p.lines) && p.lines[i].always {
		return p.lines[i].append(dst, e, x), nil
	}
	p.buf = dst
	switch {
	case x.Event.Attr == nil:
		p.follow(e, x)
		if sides[x.Event.Kind]&p.opts.Sides != 0 && !isSum(e, x) {
			p.side(e, x)
			p.buf = append(p.buf, '\n')
		}
	case p.selected && !p.selects(e, x):
	case x.Event.Attr.ReadsGroups():
		p.group(e, x)
	default:
		l := &p.lines[x.Event.Index]
		if l.fields&FieldPeriod != 0 {
			p.count = p.counters.period(e.Task, x)
		}
		p.buf = l.append(dst, e, x)
	}
	return p.buf, nil
}

// isSum reports whether perf added a record at the end, with the sum of an event's lost samples.
func isSum(e *tracec.Event, x *perf.Entry) bool {
	return x.Event.Kind == perf.LostSamples && e.Lost == 0
}

// like holds the differences between versions of perf.
type like struct {
	digits   int  // of a thread's number
	plugins  bool // libtraceevent's plugins make the texts of tracepoints
	byThread bool // groups have counters for each thread
	notTaken bool // branches may be not taken
	// old is set for perf before 6.2. Addresses of programs in call chains are then places in their
	// files, and levels of memory and flags of branches have other names.
	old bool

	kindWidth int  // of the name of a type of record in sums
	named     bool // types and configurations of events have names
	constants bool // these names are the kernel's constants
}

// likeOf returns the form of the text of a version. If version is empty, it is the version of the
// recorder.
func likeOf(rec *perf.Recording, version string) like {
	if version == "" {
		version = rec.Info().Version
	}
	major, minor := 0, 0
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 || major > 6 {
		return like{
			digits: 7, plugins: true, byThread: true, notTaken: true, kindWidth: 20, named: true, constants: true,
		}
	}
	if major < 6 || minor < 2 {
		return like{digits: 5, old: true, kindWidth: 16}
	}
	return like{digits: 7, plugins: true, byThread: minor > 12, notTaken: minor > 14, kindWidth: 20, named: minor > 11}
}

// chains reports whether lines of an event are followed by its call chain.
func (p *printer) chains(a *perf.Attr) bool {
	return a.SampleType&perf.HasCallchain != 0 && p.opts.MaxStack >= 0
}

const blanks = "                                                                "

func pad(dst []byte, n int) []byte {
	for ; n > len(blanks); n -= len(blanks) {
		dst = append(dst, blanks...)
	}
	return append(dst, blanks[:max(n, 0)]...)
}

// number appends a number, aligned on the right.
func number(dst []byte, n int64, width int) []byte {
	var digits [20]byte
	text := render.Dec(digits[:0], n)
	return append(pad(dst, width-len(text)), text...)
}
