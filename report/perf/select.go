package perf

import (
	"path"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/perf"
)

// selectsSamples reports whether options select samples by their thread, time or place.
func (o *Options) selectsSamples() bool {
	return len(o.Comms)+len(o.PIDs)+len(o.TIDs)+len(o.ranges)+len(o.Symbols)+len(o.Modules) > 0
}

// selects reports whether the thread, time and place of a sample are selected.
func (p *printer) selects(e *tracec.Event, x *perf.Entry) bool {
	o := p.opts
	return (len(o.Comms) == 0 || slices.Contains(o.Comms, e.Comm())) &&
		(len(o.PIDs) == 0 || slices.Contains(o.PIDs, e.Process())) &&
		(len(o.TIDs) == 0 || slices.Contains(o.TIDs, e.Task)) &&
		(len(o.ranges) == 0 || within(o.ranges, e.Time)) &&
		(len(o.Symbols)+len(o.Modules) == 0 || p.selectsPlace(x))
}

// selectsPlace reports whether the address of a sample is in a selected function and file. A file
// is selected by its path, or by its name without the folder.
func (p *printer) selectsPlace(x *perf.Entry) bool {
	addr, ok := x.IP()
	if !ok {
		return false
	}
	y, o := p.resolver.Frame(x.Maps, x.Misc, addr), p.opts
	if len(o.Symbols) > 0 && (y.Symbol == "" || !slices.Contains(o.Symbols, y.Symbol)) {
		return false
	}
	if len(o.Modules) == 0 {
		return true
	}
	return y.Module != nil && (slices.Contains(o.Modules, y.Module.Name) || slices.Contains(o.Modules, y.Module.File) ||
		slices.Contains(o.Modules, path.Base(y.Module.File)))
}

// follow notes the facts of a side-band record that later samples need.
func (p *printer) follow(e *tracec.Event, x *perf.Entry) {
	const most = 1 << 16
	if x.Event.Kind != perf.Cgroup || len(p.extra.cgroups) >= most {
		return
	}
	id, ok := e.Field("id")
	path, named := e.Field("path")
	if ok && named {
		p.extra.cgroups[id.Uint()] = string(path.Bytes())
	}
}
