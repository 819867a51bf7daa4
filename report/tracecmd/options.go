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

// Options are the options of the native command and of tracec report. Each sets its part. The zero
// value with one input prints all events.
type Options struct {
	Inputs []Input
	Lists  Lists
	Selection
	Texts
	TestFilters bool // -T: print the outcome of the filters instead of events

	// Reference prints the output of trace-cmd 3.1 even where the kernel, or the record, has more
	// information: the letters of the latency columns, and with -R the elements of arrays with a
	// length that the description does not declare. trace-cmd's own command line sets it. tracec
	// report prints the kernel's output.
	Reference bool

	Latency  bool  // -l
	Wakeup   bool  // -w
	FullTime bool  // -t: nanoseconds
	RawTime  bool  // --raw-ts
	NoDate   bool  // --nodate
	AlignTS  bool  // --align-ts
	TSDiff   bool  // --ts-diff
	TSCheck  bool  // --ts-check
	Quiet    bool  // -q: no warnings that are not about damage
	Like     Style // --like; 0: the version that recorded

	Profile *Profile // --profile: sums instead of events

	// TS2Secs is the frequency in Hz of the clock of inputs without their own, or 0.
	TS2Secs uint64
}

// Selection selects events. The zero value selects all.
type Selection struct {
	CPUs selection.CPUSet

	// Events selects by name; nil selects all.
	Events func(system, name string) bool
	// Choice holds the selection of tracec report. It is nil for trace-cmd's own command. It sets
	// CPUs and Events.
	Choice      *report.Options
	Filters     []Filter
	PIDs, Comms []string // --pid, --comm: only events of these threads, or that speak of them
	NoHardIRQ   bool     // -I: skip events in hard interrupts
	NoSoftIRQ   bool     // -S
}

// Texts are the options for the text of events, after the columns.
type Texts struct {
	Raw     bool             // -R: fields of all events
	RawOf   []*regexp.Regexp // -r
	Plain   bool             // -N: no plugins
	PlainOf []*regexp.Regexp // -n
	Plugins []string         // -O
}

// Input is one recording.
type Input struct {
	Path     string
	TSOffset int64  // added to all times, in units of the clock (--ts-offset)
	TS2Secs  uint64 // Hz; 0: the value of Options
}

// Filter is a -F and whether a -v came before it.
type Filter struct {
	*filter.Filter
	Negate bool
	Input  int // that it is for, by its position
}

// Lists are the things other than events that can be printed. They replace the events.
type Lists struct {
	PageSize, Endian, Functions, Printk, EventNames, EventFormats bool // -p -e -f -P -E --events
	CPUs, FirstEvent, LastEvent                                   bool
	Stat, Uname, Version, CheckEvents                             bool
}

// kernelText reports whether lines have the form of the kernel's own trace file: its flags, and its
// texts for the events of its tracers.
func (o *Options) kernelText() bool { return o.Plain && !o.Raw && !o.Reference }

func (l Lists) any() bool { return l != Lists{} }
