package report

import (
	"cmp"
	"context"
)

// OpenOptions say what recordings do not say themselves: with what their files are read. Every command that opens a
// recording takes it. The zero value opens what needs nothing.
type OpenOptions struct {
	// Templates are files that say what the events of an AIX recording mean. Later ones count.
	Templates []string
	// Layouts is a file that says where hooks of AIX hold threads, processes and CPUs.
	Layouts string
	// Rules decide what is not published of AIX: NAME=VALUE.
	Rules []string
	// Dialect of a trace of LTTng: auto, which is the default, or seed. EventDefs is a directory with the XML
	// descriptions of its events.
	Dialect, EventDefs string
	// Formats is a directory laid out as tracefs. It describes a recording that is raw data of one CPU of ftrace.
	// FormatsCPU is the number of that CPU; if it is negative, the path of the recording says it, else it is 0.
	Formats    string
	FormatsCPU int
	// Demangle is the form of names of C++ and Rust functions of uftrace: simple, which is the default, full or no.
	Demangle string
}

// only returns the first option that is given and that belongs to recordings of another system than that of this name,
// and its system.
func (o *OpenOptions) only(system string) (option, of string) {
	for _, x := range []struct {
		given      bool
		option, of string
	}{
		{len(o.Templates) > 0, "-t", "aix"},
		{o.Layouts != "", "--layouts", "aix"},
		{len(o.Rules) > 0, "--rule", "aix"},
		{cmp.Or(o.Dialect, "auto") != "auto", "--dialect", "lttng"},
		{o.EventDefs != "", "--eventdefs", "lttng"},
		{o.Formats != "", "--formats", "ftrace"},
		{cmp.Or(o.Demangle, "simple") != "simple", "--demangle", "uftrace"},
	} {
		if x.given && x.of != system {
			return x.option, x.of
		}
	}
	return "", ""
}

// checkOpening finds options of opening that the recording of a job cannot have.
func (j *Job) checkOpening(sys *System) error {
	option, of := j.Opening.only(sys.Name)
	if option == "" {
		return nil
	}
	for _, s := range j.Systems {
		if s.Name == of {
			of = s.Title
		}
	}
	return Usagef("%s: %s is a recording of %s; the option is for %s", option, j.Path, sys.Title, of)
}

// openPages opens raw data of one CPU as the recording of the job, if Opening.Formats says that it is such data.
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
