package gen

import (
	"regexp"
	"strings"
	"sync"

	"github.com/tracec/tracec/compiler/ir"
)

// numbered is the beginning of Ident for events that are identified by a number. The number follows
// it.
const numbered = "Hook"

// labelNames makes the names of events that are identified by a number from their labels: PICK
// BEGIN becomes PickBegin. If several events have one label, all their names end in their numbers.
// So do names that would collide with others. So a name never silently means another event when one
// is added. Events without a label are called by their number: Ident.
func labelNames(events []*ir.Event) []string {
	names := make([]string, len(events))
	count := map[string]int{}
	for _, ev := range events {
		count[labelName(ev.Label)]++
	}
	for i, ev := range events {
		switch base := labelName(ev.Label); {
		case base == "":
			names[i] = ev.Ident
		case count[base] > 1, inTheWay(base):
			names[i] = base + strings.TrimPrefix(ev.Ident, numbered)
		default:
			names[i] = base
		}
	}
	clear(count)
	for _, n := range names {
		count[n]++
	}
	for i, n := range names {
		if count[n] > 1 {
			names[i] = events[i].Ident
		}
	}
	return names
}

var endsInNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9][0-9A-Fa-f]{2}$|[0-9A-F]{3}$`) })

// inTheWay reports whether a name looks like the name of an event that shares its label, or is a
// name that packages declare themselves.
func inTheWay(name string) bool {
	return decoderReserved[name] || endsInNumber().MatchString(name)
}

// labelName is the identifier of a label, empty when nothing in it can begin one. Words in capitals
// are written as others are.
func labelName(label string) string {
	words := strings.FieldsFunc(label, func(r rune) bool { return !isAlnum(r) })
	for i, w := range words {
		if !strings.ContainsFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' }) {
			words[i] = strings.ToLower(w)
		}
	}
	if len(words) == 0 || words[0][0] <= '9' {
		return ""
	}
	return goName(strings.Join(words, " "))
}
