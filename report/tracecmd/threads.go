package tracecmd

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report"
)

// filterThreads adds the filters of --pid and --comm to every input. As in trace-cmd, an event
// passes if it is from one of the threads, or if its field pid or next_pid names one. Names come
// from saved_cmdlines. These filters replace -F, with a note.
func (p *printer) filterThreads() error {
	if len(p.opts.PIDs)+len(p.opts.Comms) == 0 {
		return nil
	}
	for _, pid := range p.opts.PIDs {
		if _, err := strconv.ParseInt(pid, 10, 32); err != nil {
			return report.Usagef("--pid %s: want thread ids", pid)
		}
	}
	found := map[string]bool{}
	filters := slices.DeleteFunc(slices.Clone(p.opts.Filters), func(f Filter) bool { return !f.Negate })
	if len(filters) < len(p.opts.Filters) {
		p.note(errors.New("-F: --pid and --comm replace it, as in trace-cmd"))
	}
	for i, in := range p.inputs {
		pids := slices.Clone(p.opts.PIDs)
		in.rec.Comms(func(pid int32, comm string) {
			if slices.Contains(p.opts.Comms, comm) {
				found[comm] = true
				pids = append(pids, strconv.Itoa(int(pid)))
			}
		})
		if len(pids) == 0 {
			continue // another input has the names
		}
		f, err := filter.Parse(threadFilter(pids))
		if err != nil {
			return err
		}
		filters = append(filters, Filter{Filter: f, Input: i})
	}
	for _, comm := range p.opts.Comms {
		if !found[comm] {
			var names []string
			for _, t := range p.catalog().Tasks {
				names = append(names, t.Name)
			}
			return report.Usagef("--comm %s: %s has no thread of this name%s", comm, p.job.Path,
				suggest.DidYouMean(comm, names))
		}
	}
	p.opts.Filters = filters
	return nil
}

// threadFilter returns trace-cmd's filter for ids (observed: trace-cmd report -T --pid 1).
func threadFilter(pids []string) string {
	terms := make([]string, len(pids))
	for i, pid := range pids {
		terms[i] = fmt.Sprintf("common_pid == %s || pid == %s || next_pid == %s", pid, pid, pid)
	}
	return ".*: " + strings.Join(terms, " || ")
}
