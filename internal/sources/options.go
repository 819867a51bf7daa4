package sources

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/selection"
)

// Options complete the information in recordings: they are files and settings for reading. The zero
// value suits recordings that need nothing. An option for recordings of another system is an error.
type Options struct {
	// Templates are files that describe the events of an AIX recording. Later files take
	// precedence.
	Templates []string
	// Layouts is a file with the places of threads, processes and CPUs in AIX hooks.
	Layouts string
	// Rules decide unpublished details of AIX: NAME=VALUE.
	Rules []string
	// Dialect is the dialect of an LTTng trace: auto, which is the default, or seed. EventDefs is a
	// directory with the XML descriptions of its events.
	Dialect, EventDefs string
	// Formats is a directory with the structure of tracefs. It describes a recording of raw data of
	// one CPU of ftrace. FormatsCPU is the number of that CPU. If it is nil, the number comes from
	// the path of the recording, or is 0.
	Formats    string
	FormatsCPU *int
	// Demangle is the form of names of C++ and Rust functions of uftrace and perf: simple, which is
	// the default, full or no.
	Demangle string
	// Kallsyms is a file with the symbols of the kernel that perf recorded. Symfs is a directory
	// with the programs and libraries of that machine.
	Kallsyms, Symfs string
}

// given returns the options that are set, with the names of their systems.
func (o *Options) given() (list []openOption) {
	for _, x := range []struct {
		given  bool
		option openOption
	}{
		{len(o.Templates) > 0, openOption{"-t", []string{"aix"}}},
		{o.Layouts != "", openOption{"--layouts", []string{"aix"}}},
		{len(o.Rules) > 0, openOption{"--rule", []string{"aix"}}},
		{cmp.Or(o.Dialect, "auto") != "auto", openOption{"--dialect", []string{"lttng"}}},
		{o.EventDefs != "", openOption{"--eventdefs", []string{"lttng"}}},
		{o.Formats != "", openOption{"--formats", []string{"ftrace"}}},
		{cmp.Or(o.Demangle, "simple") != "simple", openOption{"--demangle", []string{"uftrace", "perf"}}},
		{o.Kallsyms != "", openOption{"--kallsyms", []string{"perf"}}},
		{o.Symfs != "", openOption{"--symfs", []string{"perf"}}},
	} {
		if x.given {
			list = append(list, x.option)
		}
	}
	return list
}

// openOption is an opening option, and the names of its systems.
type openOption struct {
	name    string
	systems []string
}

// Given returns the name of the first option that is set and not in allowed, or "".
func (o *Options) Given(allowed ...string) string {
	for _, x := range o.given() {
		if !slices.Contains(allowed, x.name) {
			return x.name
		}
	}
	return ""
}

// checkOpening rejects opening options that do not apply to the source of the recording. If src is
// nil, there is no recording.
func (j *Job) checkOpening(src *Source) error {
	for _, x := range j.Opening.given() {
		if src != nil && slices.Contains(x.systems, src.Name) {
			continue
		}
		of := j.titles(x.systems)
		if src == nil {
			return selection.Usagef("%s: %s is not a recording; the option is for %s", x.name, j.Path, of)
		}
		return selection.Usagef("%s: %s is a recording of %s; the option is for %s", x.name, j.Path, src.Title, of)
	}
	return nil
}

// titles joins the titles of systems.
func (j *Job) titles(systems []string) string {
	list := slices.Clone(systems)
	for _, s := range j.sources() {
		if i := slices.Index(list, s.Name); i >= 0 {
			list[i] = s.Title
		}
	}
	return strings.Join(list, " and ")
}

// openPages opens raw data of one CPU as the recording of the job, if Opening.Formats is set.
func (j *Job) openPages(ctx context.Context) error {
	if j.Opening.Formats == "" || j.Recording != nil {
		return nil
	}
	for _, s := range j.sources() {
		if s.Pages == nil {
			continue
		}
		rec, err := s.Pages(ctx, j)
		if err != nil {
			return err
		}
		j.Recording, j.Sources = rec, []*Source{s}
	}
	return nil
}
