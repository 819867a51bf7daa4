package gen

import (
	"regexp"
	"strings"
	"sync"

	"github.com/tracec/tracec/compiler/ir"
)

// numbered is the beginning of Ident of events that are known by a number, which follows it.
const numbered = "Hook"

// labelNames gives events that are known by a number names made of their labels: PICK BEGIN becomes
// PickBegin. Events of one label all end in their numbers, and so do those whose names would get in
// the way of others, so that a name never silently means another event when one is added. Events
// without a label are called by their number: Ident.
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

// inTheWay reports whether a name looks like those that events of one label have, or is one that
// packages have themselves.
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
