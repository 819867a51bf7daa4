package selection

import "github.com/tracec/tracec/internal/pattern"

// EventMatcher returns a function that reports whether one of the patterns matches an event.
// Without patterns all events match. There is no [Catalog], so a name is always the name of an
// event, never of a system. The error is a *UsageError.
func EventMatcher(patterns []string) (func(system, name string) bool, error) {
	list, err := pattern.ParseList(patterns)
	if err != nil {
		return nil, Usagef("-e %w", err)
	}
	return func(system, name string) bool { return list.Matches(system, name, "") }, nil
}
