package tracecmd

import (
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/plugin"
)

// Style is the version of trace-cmd for texts. The zero value is the recorder's version.
type Style = plugin.Style

// The styles. V31 is also the style of recordings that do not name their recorder. V33 has a column
// of flags.
const (
	V31 = plugin.V31
	V33 = plugin.V33
	V34 = plugin.V34
)

// StyleOf returns the style for a version, such as "3.1.6 not-a-git-repo" or 3.4. ok is false if
// the text is not a version.
func StyleOf(version string) (style Style, ok bool) {
	major, minor, ok := report.ParseVersion(version)
	switch {
	case !ok || major < 3 || major == 3 && minor < 3:
		return V31, ok
	case major == 3 && minor == 3:
		return V33, true
	}
	return V34, true
}

// settleStyle sets the style of the report: the requested one, or the style of the first input's
// recorder.
func (p *printer) settleStyle() {
	p.style = p.opts.Like
	if p.style == 0 {
		p.style, _ = StyleOf(p.inputs[0].info.Recorder)
	}
	p.flagged = p.opts.Latency || p.style >= V33 || p.opts.kernelText()
}
