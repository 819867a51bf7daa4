package selection

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/suggest"
)

// A Catalog holds the events, CPUs and threads that a recording describes before its events are
// read. Options are checked against it. An option that can match nothing is an error, even if
// others match.
type Catalog struct {
	Recording string // its name, for messages
	Noun      string // the word for events of --event: "event", "hook", "function", "marker"
	Events    []Name
	// Matches replaces Pattern.Matches for systems with their own patterns. It may be nil.
	Matches func(pattern.Pattern) (func(Name) bool, error)
	// NoSystems reports whether patterns only have names.
	NoSystems bool
	// Possible reports whether a pattern may select events that are not in Events. If Possible is
	// nil, a pattern selects only events in Events.
	Possible func(pattern string) bool
	CPUs     []int  // in any order; nil if unknown
	Tasks    []Task // the known threads
	// NoOthers reports whether Tasks are all threads of the recording.
	NoOthers bool
	// NamesLater reports whether events hold names of threads that are not in Tasks.
	NamesLater bool
}

// Unknown returns the catalog of a recording with unknown contents: any option is possible.
func Unknown(recording string) *Catalog {
	return &Catalog{Recording: recording, Noun: "event", Possible: func(string) bool { return true }, NamesLater: true}
}

// Name is a name that patterns of --event are compared with.
type Name struct {
	System, Name string
	Alias        string // another name that selects it, such as the label of a hook; may be empty
	Separator    string // between System and Name in messages; if empty, a colon
}

// String returns the name as lists print it.
func (n Name) String() string {
	if n.System == "" {
		return n.Name
	}
	return n.System + cmp.Or(n.Separator, ":") + n.Name
}

// Task is a thread and its name, which may be empty.
type Task struct {
	ID   int32
	Name string
}

// CheckEvents checks the patterns of an option. option is its name in messages. Each pattern must
// match an event. The error is a *UsageError that names similar events.
func (c *Catalog) CheckEvents(option string, patterns []string) error {
	var wrong []string
	list, err := c.patterns(patterns)
	if err != nil {
		return Usagef("%s %w", option, err)
	}
	for _, p := range list {
		found, err := c.has(p)
		if err != nil {
			return Usagef("%s %w", option, err)
		}
		if !found {
			wrong = append(wrong, fmt.Sprintf("%s %s: %s has no such %s%s", option, p, c.Recording, c.Noun,
				c.meant(p.String())))
		}
	}
	return usageLines(wrong)
}

// Checked is [Catalog.Matcher] for patterns of the option -e, each of which must match an event.
func (c *Catalog) Checked(patterns []string) (func(system, name string) bool, error) {
	if err := c.CheckEvents("-e", patterns); err != nil {
		return nil, err
	}
	return c.Matcher(patterns)
}

// Matcher returns a function that reports whether one of the patterns selects an event. Without
// patterns, all events are selected. The error is a *UsageError.
func (c *Catalog) Matcher(patterns []string) (func(system, name string) bool, error) {
	list, err := c.patterns(patterns)
	if err != nil {
		return nil, Usagef("-e %w", err)
	}
	return func(system, name string) bool { return list.Matches(system, name, "") }, nil
}

// patterns parses patterns, which may be names of systems.
func (c *Catalog) patterns(texts []string) (pattern.List, error) {
	list, err := pattern.ParseList(texts)
	if err != nil {
		return nil, err
	}
	return c.In(list), nil
}

// In returns the patterns for the events of the catalog. A pattern that matches no event but the
// name of a system selects all events of that system.
func (c *Catalog) In(list pattern.List) pattern.List {
	return list.In(func(yield func(system, name, alias string) bool) {
		for _, n := range c.Events {
			if !yield(n.System, n.Name, n.Alias) {
				return
			}
		}
	})
}

// meant lists events that are similar to a pattern without a match.
func (c *Catalog) meant(text string) string {
	if near := suggest.DidYouMean(text, c.namesLike(text)); near != "" {
		return near
	}
	system, _, found := strings.Cut(text, ":")
	n := 0
	for _, e := range c.Events {
		if found && e.System == system {
			n++
		}
	}
	if n == 0 || c.NoSystems {
		return ""
	}
	return fmt.Sprintf("; tracec list -e '%s:*' shows the %d of %s", system, n, system)
}

// has reports whether a pattern selects an event.
func (c *Catalog) has(p pattern.Pattern) (bool, error) {
	match, err := func(n Name) bool { return p.Matches(n.System, n.Name, n.Alias) }, error(nil)
	if c.Matches != nil {
		match, err = c.Matches(p)
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(c.Events, match) || c.Possible != nil && c.Possible(p.String()), nil
}

// usageLines returns a *UsageError of several lines. It returns nil without lines.
func usageLines(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	return Usagef("%s", strings.Join(lines, "\ntracec: "))
}

// namesLike returns the names in the form of a pattern: with their system if the pattern has one.
func (c *Catalog) namesLike(pattern string) []string {
	whole := strings.ContainsAny(pattern, ":/.")
	names := make([]string, 0, len(c.Events))
	for _, n := range c.Events {
		switch {
		case whole:
			names = append(names, n.String())
		default:
			names = append(names, n.Name)
			if n.Alias != "" {
				names = append(names, n.Alias)
			}
		}
	}
	return names
}

// Patterns returns a pattern for each single event, with the alias, if any, after a tab. Shells
// complete words with them.
func (c *Catalog) Patterns() []string {
	list := make([]string, len(c.Events))
	for i, n := range c.Events {
		if list[i] = n.String(); c.NoSystems {
			list[i] = n.Name
		}
		if n.Alias != "" {
			list[i] += "\t" + n.Alias
		}
	}
	return list
}

// CheckCPUs checks that every part of a set begins and ends among the CPUs of the recording. CPUs
// between them may be missing, since they may have been offline.
func (c *Catalog) CheckCPUs(set CPUSet) error {
	if c.CPUs == nil {
		return nil
	}
	for _, r := range set {
		if len(c.CPUs) > 0 && slices.Min(c.CPUs) <= r.First && r.Last <= slices.Max(c.CPUs) &&
			slices.ContainsFunc(c.CPUs, func(cpu int) bool { return r.First <= cpu && cpu <= r.Last }) {
			continue
		}
		return Usagef("--cpu %s: %s has %s", r, c.Recording, c.cpuList())
	}
	return nil
}

// String returns the set as ParseCPUs reads it.
func (s CPUSet) String() string {
	words := make([]string, len(s))
	for i, r := range s {
		words[i] = r.String()
	}
	return strings.Join(words, ",")
}

// String returns the range as ParseCPUs reads it.
func (r CPURange) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

// cpuList returns a list such as "CPUs 0-3, 6" or "no CPUs".
func (c *Catalog) cpuList() string {
	var ranges []CPURange
	for _, cpu := range slices.Compact(slices.Sorted(slices.Values(c.CPUs))) {
		if n := len(ranges); n > 0 && ranges[n-1].Last == cpu-1 {
			ranges[n-1].Last = cpu
			continue
		}
		ranges = append(ranges, CPURange{cpu, cpu})
	}
	if len(ranges) == 0 {
		return "no CPUs"
	}
	words := make([]string, len(ranges))
	for i, r := range ranges {
		words[i] = r.String()
	}
	noun := "CPUs "
	if len(words) == 1 && ranges[0].First == ranges[0].Last {
		noun = "CPU "
	}
	return noun + strings.Join(words, ", ")
}

// FindTasks returns the ids of threads given by id or by name. Names that the catalog lacks are
// returned unchanged, since events may hold them.
func (c *Catalog) FindTasks(words []string) (ids []int32, names []string, err error) {
	var wrong []string
	for _, w := range words {
		if w = strings.TrimSpace(w); w == "" {
			wrong = append(wrong, fmt.Sprintf("--pid %s: an item is empty", strings.Join(words, ",")))
			continue
		}
		v, err := strconv.ParseInt(w, 10, 32)
		id, isID := int32(v), err == nil
		found := false
		for _, t := range c.Tasks {
			if t.Name == w || isID && t.ID == id {
				found = true
				ids = append(ids, t.ID)
			}
		}
		switch {
		case found:
		case isID && !c.NoOthers:
			ids = append(ids, id)
		case !isID && c.NamesLater:
			names = append(names, w)
		default:
			wrong = append(wrong, fmt.Sprintf("--pid %s: %s", w, c.noTask(w, isID)))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), names, usageLines(wrong)
}

func (c *Catalog) noTask(w string, isID bool) string {
	if isID {
		var near []string
		for _, t := range c.Tasks {
			near = append(near, fmt.Sprint(t.ID))
		}
		return fmt.Sprintf("%s has no such thread%s", c.Recording, suggest.DidYouMean(w, near))
	}
	var near []string
	for _, t := range c.Tasks {
		if t.Name != "" {
			near = append(near, t.Name)
		}
	}
	if len(near) == 0 {
		return fmt.Sprintf("not a number, and %s has no names of threads", c.Recording)
	}
	hint := suggest.DidYouMean(w, near)
	if hint == "" {
		hint = "; tracec stat shows its threads"
	}
	return fmt.Sprintf("%s has no thread of this name%s", c.Recording, hint)
}

// Check checks the events, CPUs and threads that options select. Options.Window checks the times.
func (c *Catalog) Check(o *Options) error {
	if err := c.CheckEvents("-e", o.Events); err != nil {
		return err
	}
	if err := c.CheckCPUs(o.CPUs); err != nil {
		return err
	}
	_, _, err := c.FindTasks(o.Tasks)
	return err
}

// Chosen returns the options that limit the selection, as on a command line. It is empty if they
// select everything.
func (o *Options) Chosen() string {
	var words []string
	if o.written != nil {
		o = o.written
	}
	for _, x := range []struct{ option, value string }{
		{"-e", strings.Join(o.Events, ",")}, {"-F", quoted(o.Filters)}, {"--cpu", o.CPUs.String()},
		{"--pid", strings.Join(o.Tasks, ",")},
		{"--since", o.Since}, {"--until", o.Until}, {"--last", o.Last},
	} {
		if x.value != "" {
			words = append(words, x.option+" "+x.value)
		}
	}
	return strings.Join(words, " ")
}

// quoted returns filters for several options -F. The first -F is omitted.
func quoted(filters []string) string {
	words := make([]string, len(filters))
	for i, f := range filters {
		words[i] = strconv.Quote(f)
	}
	return strings.Join(words, " -F ")
}

// Nothing returns the note for a valid selection that matched nothing in a recording.
func Nothing(recording, noun, chosen string) error {
	return &Note{fmt.Errorf("%s: no %s matches %s", recording, noun, chosen)}
}
