// Package tracecmd prints ftrace recordings as trace-cmd report does, byte for byte: columns,
// header and lists.
//
// [Run] prints a report. Where trace-cmd prints something wrong, this package prints the right
// text. testdata/differences.md lists every such case with its evidence.
package tracecmd

import (
	"regexp"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
)

// Options are the options of the native command and of tracec report. Each command sets some of
// them. The zero value with one input prints all events.
type Options struct {
	Inputs []Input
	Lists  Lists
	Selection
	Texts
	TestFilters bool // -T: print the outcome of the filters instead of events

	// Reference prints the output of trace-cmd 3.1 even where the kernel or the record has more
	// information. This concerns the letters of the latency columns, and with -R the elements of
	// arrays without a declared length. trace-cmd's own command line sets it. tracec report prints
	// the kernel's output.
	Reference bool

	Latency  bool  // -l
	Wakeup   bool  // -w
	FullTime bool  // -t: nanoseconds
	RawTime  bool  // --raw-ts
	NoDate   bool  // --nodate
	AlignTS  bool  // --align-ts
	TSDiff   bool  // --ts-diff
	TSCheck  bool  // --ts-check
	Quiet    bool  // -q: suppress warnings other than for damage
	Like     Style // --like; 0: the version of the recorder

	Profile *Profile // --profile: sums instead of events

	// TS2Secs is the frequency in Hz of clocks, for inputs that do not set their own. 0 means
	// unknown.
	TS2Secs uint64
}

// Selection selects events. The zero value selects all.
type Selection struct {
	CPUs selection.CPUSet

	// Events selects by name. If nil, all events are selected.
	Events func(system, name string) bool
	// Choice holds the selection of tracec report. It is nil for trace-cmd's own command. It sets
	// CPUs and Events.
	Choice      *report.Options
	Filters     []Filter
	PIDs, Comms []string // --pid, --comm: select events that these threads recorded, or that name them
	NoHardIRQ   bool     // -I: skip events in hard interrupts
	NoSoftIRQ   bool     // -S
}

// Texts are the options for the text of events, after the columns.
type Texts struct {
	Raw     bool             // -R: fields of all events
	RawOf   []*regexp.Regexp // -r
	Plain   bool             // -N: without plugins
	PlainOf []*regexp.Regexp // -n
	Plugins []string         // -O
}

// Input is one recording.
type Input struct {
	Path     string
	TSOffset int64  // added to all times, in units of the clock (--ts-offset)
	TS2Secs  uint64 // Hz; 0 uses the value of Options
}

// Filter is a filter of -F, with a preceding -v if any.
type Filter struct {
	*filter.Filter
	Negate bool
	Input  int // position of its input
}

// Lists selects output to print instead of events.
type Lists struct {
	PageSize, Endian, Functions, Printk, EventNames, EventFormats bool // -p -e -f -P -E --events
	CPUs, FirstEvent, LastEvent                                   bool
	Stat, Uname, Version, CheckEvents                             bool
}

// kernelText reports whether lines have the form of the kernel's own trace file: its flags, and its
// texts for the events of its tracers.
func (o *Options) kernelText() bool { return o.Plain && !o.Raw && !o.Reference }

func (l Lists) any() bool { return l != Lists{} }
