package filter

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/suggest"
)

// CheckEvents checks that each filter speaks of events that a recording, called recording in messages, may have: each of its names of one. names
// calls yield for all of them, until that returns false. The errors are joined *grammar.SyntaxErrors.
func (l List) CheckEvents(recording string, names func(yield func(system string, names ...string) bool)) (err error) {
	for _, f := range l {
		if n := f.Unmatched(names); n != nil {
			msg := recording + " has no event `" + n.Text + "`"
			err = errors.Join(err, &grammar.SyntaxError{Source: f.Source, Offset: n.Pos, Msg: msg, Hint: meant(n, names)})
		}
	}
	return err
}

// meant says what may have been meant by a name that no event has.
func meant(n *grammar.EventName, names func(yield func(system string, names ...string) bool)) string {
	whole := strings.Contains(n.Text, "/")
	var all []string
	names(func(system string, names ...string) bool {
		for _, name := range names {
			if whole {
				name = system + "/" + name
			} else if system != "" {
				all = append(all, system)
			}
			all = append(all, name)
		}
		return true
	})
	hint := suggest.DidYouMean(n.Text, all)
	if glob := strings.ReplaceAll(n.Text, ".*", ""); strings.Contains(glob, "*") {
		hint += "; names are regular expressions, in which .* is what * is in globs"
	}
	return hint
}

// CheckFields checks that each field of a filter can be used in one of the events that the filter speaks of; some may lack it. described are those
// events, and perhaps others. The errors are joined *grammar.SyntaxErrors.
func (l List) CheckFields(described iter.Seq[*Event]) (err error) {
	for _, f := range l {
		err = errors.Join(err, checkFields(f, described))
	}
	return err
}

// checkFields is CheckFields for one filter. It looks at no more events than it needs.
func checkFields(f *grammar.Filter, described iter.Seq[*Event]) (err error) {
	missing := f.Fields()
	if len(missing) == 0 {
		return nil
	}
	problems, names := map[int]string{}, map[string]bool{}
	for _, n := range missing {
		problems[n.Pos] = ""
	}
	for e := range described {
		if !f.Matches(e.System, e.Names...) {
			continue
		}
		c := newCompiler(e)
		c.problems = problems
		c.used = func(pos int) {
			missing = slices.DeleteFunc(missing, func(n grammar.Field) bool { return n.Pos == pos })
		}
		if c.filter(f); len(missing) == 0 {
			return nil
		}
		for _, n := range e.names() {
			names[n] = true
		}
	}
	for _, n := range missing {
		e := &grammar.SyntaxError{Source: f.Source, Offset: n.Pos, Msg: problems[n.Pos]}
		if e.Msg == "" {
			e.Msg = "no event that the filter names has a field `" + n.Name + "`"
			e.Hint = suggest.DidYouMean(n.Name, slices.Sorted(maps.Keys(names)))
		}
		err = errors.Join(err, e)
	}
	return err
}
