package report

import "github.com/tracec/tracec/compiler/pattern"

// EventMatcher returns a function that reports whether one of the patterns, if there are any, chooses an event. The
// error names the bad pattern.
func EventMatcher(patterns []string) (func(system, name string) bool, error) {
	list, err := pattern.ParseList(patterns)
	if err != nil {
		return nil, err
	}
	return func(system, name string) bool { return list.Matches(system, name, "") }, nil
}
