package trcrpt

import (
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/render"
)

// outcome records the columns and events that the report has printed, for the messages after it.
type outcome struct {
	process, cpu, svc bool  // columns with at least one value: some recordings cannot fill them
	shown             bool  // an event was printed
	printed           int64 // number of events from this printer
	noCPU             int64 // number of skipped events without a known processor
}

// checkProcesses rejects a selection by processes if they are unknown.
func (o *Options) checkProcesses() error {
	if len(o.Processes) > 0 && len(o.Layouts) == 0 {
		return report.Usagef("-p: the process of an event comes from hooks without a published layout; " +
			"describe them with --layouts FILE, or select threads with -T")
	}
	return nil
}

// noteUnknown reports requested columns that are empty or missing in all events, and macros that
// are 0 in texts.
func (p *printer) noteUnknown() {
	o, t := p.opts, p.outcome
	var empty []string
	for _, c := range []struct {
		name    string
		missing bool
	}{{"exec", o.Exec && !t.process}, {"pid", o.PID && !t.process}, {"svc", o.SVC && !t.svc},
		{"cpuid", o.CPUID && !t.cpu}} {
		if c.missing {
			empty = append(empty, c.name)
		}
	}
	if len(empty) > 0 && p.outcome.shown && !o.Raw && !o.Histogram {
		column := "column %s is"
		if len(empty) > 1 {
			column = "columns %s are"
		}
		p.job.Note(column+" empty: no layout names hooks with this data (--layouts FILE)", strings.Join(empty, ", "))
	}
	if o.Values && !o.Exec && !o.SVC && !o.Raw && !o.Histogram {
		p.job.Note("-x has no effect without -O exec=on or svc=on: no column shows programs or system calls")
	}
	var zero []string
	for id, name := range missable {
		if name != "" && p.missed(render.Fact(id)) {
			zero = append(zero, name)
		}
	}
	if len(zero) > 0 {
		p.job.Note("%s in templates: 0 where the value is unknown", strings.Join(zero, ", "))
	}
}

// missable holds the macros that some recordings lack, by their facts.
var missable = [...]string{
	render.FactPID: "$PID", render.FactCPUID: "$CPUID", render.FactPriority: "$PRI", render.FactTotalCPUs: "$TOTALCPUS",
	render.FactTracedCPUs: "$TRACEDCPUS", render.FactLargeData: "$LARGEDATATYPES", render.FactBuffering: "$BUFF",
	render.FactIPAddress: "$IPADDR",
}
