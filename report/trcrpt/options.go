package trcrpt

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
)

// Options are the options of trcrpt. The zero value is its default report.
type Options struct {
	Inputs    []string // files; "-" is standard input
	Templates []string // files of templates; built-in templates describe the other hooks
	Groups    []Group  // groups for -D, -K and -G
	Rules     trcfiles.Rules

	AllCPUs   bool         // -C: also read the files of single processors next to the file
	NameList  string       // -n: file of symbols
	Layouts   []aix.Layout // places of processes and processors in hooks
	Merge     bool         // -m
	Raw       bool         // -r
	NoHeading bool         // -h
	Values    bool         // -x: print paths of programs instead of names of processes
	Verbose   bool         // -v
	Quiet     bool         // -q
	Words     bool         // tracec report -R: print the data of events instead of their texts

	Selection
	Settings

	common *report.Options               // options of tracec report and list; nil for the native command
	fields bool                          // list values of templates
	match  func(name, label string) bool // matches common.Events; nil matches all
}

// Selection selects events. The zero value selects all.
type Selection struct {
	CPUs      selection.CPUSet // -C: nil selects all
	Only      trcfiles.HookSet // -d and -D; nil selects all
	Never     trcfiles.HookSet // -k and -K
	Processes []string         // -p: names or ids
	Threads   []uint64         // -T
	StartDate string           // -s, MMddhhmmssyy
	EndDate   string           // -e
	Began     string           // date on which the trace began, for StartDate and EndDate
}

// Settings are the settings of -O.
type Settings struct {
	TwoLine      bool
	CPUID        bool
	Exec         bool
	FileName     bool
	NoIDs        bool
	PID, TID     bool
	SVC          bool
	PURR         bool
	RemoveDups   bool
	ReportedCPUs bool
	Histogram    bool
	PageSize     int // in lines; 0 disables pages
	Timestamp    int
	Since, Until *int64 // ns from the beginning of the trace; Until is inclusive
}

// newOptions returns the options of a report of one recording, with the opening options of the job.
func newOptions(job *report.Job) (*Options, error) {
	o := &Options{Inputs: []string{job.Path}}
	if err := o.SetOpening(&job.Opening); err != nil {
		return nil, err
	}
	return o, nil
}

// SetOpening sets the templates, layouts and rules. The error is a *report.UsageError for an
// invalid rule, or an error about a file.
func (o *Options) SetOpening(from *sources.Options) (err error) {
	o.Templates = from.Templates
	o.Rules, o.Layouts, err = from.AIXFiles()
	return err
}

// maxPage is the maximum size of a page (aix.md 5.2).
const maxPage = 500

// Set sets options of -O: option=value, separated by commas.
func (o *Settings) Set(list string) error {
	for _, item := range strings.Split(list, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		if err := o.set(strings.ToLower(name), value); err != nil {
			return fmt.Errorf("-O %s: %w", strings.TrimSpace(item), err)
		}
	}
	return nil
}

func (o *Settings) set(name, value string) error {
	if flag := o.toggle(name); flag != nil {
		v, err := parseSwitch(value)
		if name == "ids" {
			v = !v
		}
		*flag = v
		return err
	}
	var err error
	switch name {
	case "pagesize":
		o.PageSize, err = parseUpTo(value, maxPage)
	case "timestamp":
		if o.Timestamp, err = parseUpTo(value, 4); o.Timestamp == 4 {
			return fmt.Errorf("this form of time is not published; want 0 to 3")
		}
	case "starttime":
		o.Since, err = parseSeconds(value)
	case "endtime":
		o.Until, err = parseSeconds(value)
	case "component", "wparname", "wparcid":
		var on bool
		if on, err = parseSwitch(value); on {
			return fmt.Errorf("its place in a recording is not published")
		}
	default:
		return fmt.Errorf("unknown option")
	}
	return err
}

// toggle returns the variable of an option with the values on and off, or nil for other options.
func (o *Settings) toggle(name string) *bool {
	return map[string]*bool{
		"2line": &o.TwoLine, "cpuid": &o.CPUID, "exec": &o.Exec, "filename": &o.FileName, "ids": &o.NoIDs,
		"pid": &o.PID, "tid": &o.TID, "svc": &o.SVC, "purr": &o.PURR, "removedups": &o.RemoveDups,
		"reportedcpus": &o.ReportedCPUs, "hist": &o.Histogram,
	}[name]
}

// parseSwitch parses on or off. Existing scripts use 1 and 0 (aix.md 5.2).
func parseSwitch(value string) (bool, error) {
	switch strings.ToLower(value) {
	case "on", "1":
		return true, nil
	case "off", "0":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither on nor off", value)
}

func parseUpTo(value string, most int) (int, error) {
	v, err := strconv.Atoi(value)
	if err != nil || v < 0 || v > most {
		return 0, fmt.Errorf("%q is not a number from 0 to %d", value, most)
	}
	return v, nil
}

// maxSeconds bounds times, so that nanoseconds cannot overflow an int64.
const maxSeconds = 1 << 32

// parseSeconds reads seconds with a fraction as nanoseconds.
func parseSeconds(value string) (*int64, error) {
	whole, frac, point := strings.Cut(value, ".")
	sec, err := strconv.ParseUint("0"+whole, 10, 64)
	if err != nil || sec > maxSeconds || whole == "" && frac == "" || point && strings.Trim(frac, "0123456789") != "" {
		return nil, fmt.Errorf("%q is not a number of seconds", value)
	}
	frac = (frac + "000000000")[:9]
	ns, err := strconv.ParseInt(frac, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is not a number of seconds", value)
	}
	ns += int64(sec) * 1e9
	return &ns, nil
}

// check rejects options that exclude each other.
func (o *Options) check() error {
	if o.Histogram && (o.Raw || o.TwoLine || o.Exec || o.PID || o.TID || o.SVC || o.CPUID || o.PageSize > 0) {
		return report.Usagef("-O hist=on cannot be combined with other forms of report")
	}
	if len(o.Inputs) > 1 && !o.Merge {
		return report.Usagef("more than one file: merge them with -m")
	}
	if o.RemoveDups && !o.Merge {
		return report.Usagef("-O removedups=on needs -m")
	}
	return o.checkProcesses()
}
