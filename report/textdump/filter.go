package textdump

import (
	"path"
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
)

// Filter selects events. The zero value selects all.
type Filter struct {
	Channels []string // globs for names of channels, without a leading slash; empty selects all
	// Choice selects by marker, processor, running process and time.
	Choice report.Options
	// MarkerOption is the name of the option for markers in messages. If empty, it is -e.
	MarkerOption string
}

// wanted is a filter with resolved names.
type wanted struct {
	files     []bool // by position in Files
	markers   []bool // by Marker.Index
	unknown   bool   // select events without a marker
	all       bool   // select events of all processes
	pids      []int32
	processes []string
	// since is inclusive, until exclusive.
	since, until uint64
	// records is the part of the selection that a container applies.
	records record.Options
	matcher *tracec.Matcher // the rest of the selection; nil selects all
	ids     []uint32        // ids of selected events; nil selects all
	running string          // the running process at the current event of matcher
	// addFile and addMarker select a file or a marker that has joined the recording.
	addFile   func(*lttng.File)
	addMarker func(*lttng.Marker)
}

// prepare resolves the names. The error is a *report.UsageError if the trace cannot have a name.
func (f *Filter) prepare(rec *lttng.Recording) (*wanted, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	c := sources.Markers(rec)
	if err := f.checkNames(rec, c); err != nil {
		return nil, err
	}
	o := &f.Choice
	w := &wanted{unknown: len(o.Events) == 0, all: len(o.Tasks) == 0}
	var err error
	if w.pids, w.processes, err = c.FindTasks(o.Tasks); err != nil {
		return nil, err
	}
	if w.since, w.until, err = o.Window(selection.Nanoseconds); err != nil {
		return nil, err
	}
	if w.records, err = o.Records(selection.Nanoseconds); err != nil {
		return nil, err
	}
	w.records.CPUs = o.CPUs.Of(c.CPUs)
	match, err := c.Matcher(o.Events)
	if err != nil {
		return nil, err
	}
	w.addFile = func(file *lttng.File) {
		channel := channelOf(file)
		w.files = append(w.files, matches(f.Channels, channel, path.Base(channel)) && o.CPUs.Has(file.CPU))
	}
	for _, file := range rec.Files() {
		w.addFile(file)
	}
	if w.matcher, err = o.Matcher(rec); err != nil {
		return nil, err
	}
	var possible []uint32 // ids that may pass the filters; nil means all
	if w.matcher != nil {
		w.matcher.Comm = func(*record.Record) string { return w.running }
		possible = w.matcher.IDs()
	}
	w.addMarker = func(m *lttng.Marker) { w.markers = append(w.markers, match(m.Channel, m.Name)) }
	for _, m := range rec.Markers() {
		w.addMarker(m)
		if w.markers[m.Index] && (possible == nil || slices.Contains(possible, uint32(m.Index))) {
			w.ids = append(w.ids, uint32(m.Index))
		}
	}
	if w.unknown {
		w.ids = append(w.ids, lttng.NoMarker)
	}
	if len(o.Events) == 0 && possible == nil {
		w.ids = nil
	} else if w.ids == nil {
		w.ids = []uint32{}
	}
	return w, nil
}

// passes reports whether an event passes the filters and has a selected running process. The caller
// has checked the rest of the selection.
func (w *wanted) passes(r *record.Record, e *lttng.Entry, p *process.Process) bool {
	if w.matcher == nil {
		return true
	}
	w.running, r.Task = p.Name, p.PID
	return w.matcher.Match(r, e)
}

// channelOf returns the name of a file's channel without the slash that it has up to 2.2 (lttng.md
// 3.5).
func channelOf(f *lttng.File) string { return strings.TrimPrefix(f.Channel, "/") }

// checkNames reports names that the trace does not have.
func (f *Filter) checkNames(rec *lttng.Recording, c *selection.Catalog) error {
	var channels []string
	for _, file := range rec.Files() {
		channels = append(channels, channelOf(file))
	}
	for _, g := range f.Channels {
		found := slices.ContainsFunc(channels, func(name string) bool {
			return matches([]string{g}, name,
				path.Base(name))
		})
		if !found {
			return report.Usagef("--channel %s: %s has no such channel%s", g, c.Recording,
				suggest.DidYouMean(g, channels))
		}
	}
	option := f.MarkerOption
	if option == "" {
		option = "-e"
	}
	if err := c.CheckEvents(option, f.Choice.Events); err != nil {
		return err
	}
	return c.CheckCPUs(f.Choice.CPUs)
}

// matches reports whether there are no globs, or one of them matches one of the names.
func matches(globs []string, names ...string) bool {
	for _, g := range globs {
		for _, n := range names {
			if ok, _ := path.Match(g, n); ok {
				return true
			}
		}
	}
	return len(globs) == 0
}

// check reports errors that do not depend on the trace.
func (f *Filter) check() error {
	for _, g := range f.Channels {
		if _, err := path.Match(g, ""); err != nil {
			return report.Usagef("--channel %s: %w", g, err)
		}
	}
	if _, err := selection.EventMatcher(f.Choice.Events); err != nil {
		return err
	}
	return nil
}

// chosen returns the options that limit the selection, as on a command line.
func (f *Filter) chosen() string {
	text := f.Choice.Chosen()
	if f.MarkerOption != "" {
		text = strings.Replace(text, "-e ", f.MarkerOption+" ", 1)
	}
	if len(f.Channels) > 0 {
		text = strings.TrimSpace("--channel " + strings.Join(f.Channels, ",") + " " + text)
	}
	return text
}

// has reports whether an event of a selected file is also selected.
func (w *wanted) has(r *record.Record, m *lttng.Marker) bool {
	if r.Time < w.since || r.Time >= w.until {
		return false
	}
	if m == nil {
		return w.unknown
	}
	return w.markers[m.Index]
}

// hasProcess reports whether events are selected while a process runs.
func (w *wanted) hasProcess(p *process.Process) bool {
	return w.all || slices.Contains(w.pids, p.PID) || slices.Contains(w.processes, p.Name)
}

// asksProcess reports whether a filter uses the running process, which unselected events may
// determine.
func (w *wanted) asksProcess() bool {
	return w.matcher != nil && (w.matcher.AsksComm() || w.matcher.AsksTask())
}

// asksNames reports whether names of processes are selected. An event of any processor may change
// them.
func (w *wanted) asksNames() bool {
	return len(w.processes) > 0 || w.matcher != nil && w.matcher.AsksComm()
}
