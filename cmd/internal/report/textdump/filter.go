package textdump

import (
	"path"
	"slices"

	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Filter chooses events. The zero value takes all.
type Filter struct {
	Channels []string // globs over the names of channels, without a slash in front; empty is all
	Markers  []string // globs over channel.marker or marker; empty is all
	CPUs     report.CPUSet
	PIDs     []int32 // that run when the event happens; empty is all
	// Since and Until bound the time in nanoseconds; what happened at Until itself is left out. 0 is no bound.
	Since, Until uint64
}

// wanted is a filter that asks for no name any more.
type wanted struct {
	Filter
	files   []bool // by Record.Stream
	markers []bool // by Marker.Index
	unknown bool   // events without a marker
}

// prepare looks the names up.
func (f Filter) prepare(rec *lttng.Recording) *wanted {
	w := &wanted{Filter: f, unknown: len(f.Markers) == 0}
	if f.Until == 0 {
		w.Until = ^uint64(0)
	}
	for _, file := range rec.Files() {
		channel := file.Channel
		if channel[0] == '/' {
			channel = channel[1:]
		}
		w.files = append(w.files, matches(f.Channels, channel, path.Base(channel)) && f.CPUs.Has(file.CPU))
	}
	for _, m := range rec.Markers() {
		w.markers = append(w.markers, matches(f.Markers, m.Name, m.Channel+"."+m.Name))
	}
	return w
}

// matches reports whether one of the globs, if there are any, fits one of the names.
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

// Check reports a glob that is none.
func (f Filter) Check() error {
	for _, g := range slices.Concat(f.Channels, f.Markers) {
		if _, err := path.Match(g, ""); err != nil {
			return err
		}
	}
	return nil
}

func (w *wanted) has(r *record.Record, m *lttng.Marker) bool {
	if r.Time < w.Since || r.Time >= w.Until || !w.files[r.Stream] {
		return false
	}
	if m == nil {
		return w.unknown
	}
	return w.markers[m.Index]
}

func (w *wanted) hasPID(pid int32) bool { return len(w.PIDs) == 0 || slices.Contains(w.PIDs, pid) }
