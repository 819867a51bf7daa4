package report

import (
	"cmp"
	"context"
	"slices"
)

// OpenOptions say what recordings do not say themselves: with what their files are read. Every
// command that opens a recording takes them, and so do [Open] and [Follow]. The zero value opens
// what needs nothing. An option that is for recordings of another system is an error.
type OpenOptions struct {
	// Templates are files that say what the events of an AIX recording mean. Later ones count.
	Templates []string
	// Layouts is a file that says where hooks of AIX hold threads, processes and CPUs.
	Layouts string
	// Rules decide what is not published of AIX: NAME=VALUE.
	Rules []string
	// Dialect of a trace of LTTng: auto, which is the default, or seed. EventDefs is a directory
	// with the XML descriptions of its events.
	Dialect, EventDefs string
	// Formats is a directory laid out as tracefs. It describes a recording that is raw data of one
	// CPU of ftrace. FormatsCPU is the number of that CPU; if it is nil, the path of the recording
	// says it, else it is 0.
	Formats    string
	FormatsCPU *int
	// Demangle is the form of names of C++ and Rust functions of uftrace: simple, which is the
	// default, full or no.
	Demangle string
}

// given are the options that are given, with the names of the systems that they are for.
func (o *OpenOptions) given() (list []openOption) {
	for _, x := range []struct {
		given  bool
		option openOption
	}{
		{len(o.Templates) > 0, openOption{"-t", "aix"}},
		{o.Layouts != "", openOption{"--layouts", "aix"}},
		{len(o.Rules) > 0, openOption{"--rule", "aix"}},
		{cmp.Or(o.Dialect, "auto") != "auto", openOption{"--dialect", "lttng"}},
		{o.EventDefs != "", openOption{"--eventdefs", "lttng"}},
		{o.Formats != "", openOption{"--formats", "ftrace"}},
		{cmp.Or(o.Demangle, "simple") != "simple", openOption{"--demangle", "uftrace"}},
	} {
		if x.given {
			list = append(list, x.option)
		}
	}
	return list
}

// openOption is an option of opening, and the name of the system that it is for.
type openOption struct{ name, system string }

// Given returns the name of the first option that is given, but for those of allowed. It is empty
// when there is none.
func (o *OpenOptions) Given(allowed ...string) string {
	for _, x := range o.given() {
		if !slices.Contains(allowed, x.name) {
			return x.name
		}
	}
	return ""
}

// checkOpening finds options of opening that what a job is about cannot have: a recording of a
// system, or no recording if that is nil.
func (j *Job) checkOpening(sys *System) error {
	for _, x := range j.Opening.given() {
		if sys != nil && x.system == sys.Name {
			continue
		}
		of := x.system
		for _, s := range j.Systems {
			if s.Name == of {
				of = s.Title
			}
		}
		if sys == nil {
			return Usagef("%s: %s is no recording; the option is for %s", x.name, j.Path, of)
		}
		return Usagef("%s: %s is a recording of %s; the option is for %s", x.name, j.Path, sys.Title, of)
	}
	return nil
}

// openPages opens raw data of one CPU as the recording of the job, if Opening.Formats says that it
// is such data.
func (j *Job) openPages(ctx context.Context) error {
	if j.Opening.Formats == "" || j.Recording != nil {
		return nil
	}
	for _, s := range j.Systems {
		if s.Pages == nil {
			continue
		}
		rec, err := s.Pages(ctx, j)
		if err != nil {
			return err
		}
		j.Recording, j.Systems = rec, []System{s}
	}
	return nil
}
