package gen

import (
	"cmp"
	"regexp"
	"strings"
	"sync"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/name"
	"github.com/tracec/tracec/gen/internal/page"
)

// The names that generated packages declare themselves. TestReserved finds a name that is missing
// here.
var (
	decoderReserved = name.Set("Decoder", "Bind", "Package")
	methodReserved  = name.Set(vetNames...) // in the struct of an event: names for which go vet requires a signature
)

// vetNames are methods whose signature go vet compares with the standard library, for any
// parameters (its check stdmethods).
var vetNames = []string{
	"GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "ReadByte", "ReadRune", "UnmarshalJSON", "UnmarshalXML",
	"UnreadByte",
	"UnreadRune", "WriteByte",
}

// eventNames gives every event its identifier. The package comment has the rules.
func eventNames(events []*ir.Event, split bool) []string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = name.Exported(cmp.Or(e.Ident, e.Name))
	}
	retry := func(again func(e *ir.Event) string) {
		seen := make(map[string]int, len(names))
		for _, n := range names {
			seen[n]++
		}
		for i, n := range names {
			if seen[n] > 1 || decoderReserved[n] {
				names[i] = again(events[i])
			}
		}
	}
	if !split {
		retry(func(e *ir.Event) string { return name.Exported(e.Group) + name.Exported(e.Name) })
	}
	suffix := func(e *ir.Event) string { return name.Exported(e.Name) + "X" + name.Fingerprint(e.Group+":"+e.Name, 4) }
	retry(suffix)
	retry(suffix) // a name that looks like another name with its suffix
	return names
}

// fieldNames gives the fields of one event their identifiers.
func fieldNames(fields []string, reserved map[string]bool) []string {
	return name.Members(fields, func(n string) bool {
		return reserved[n] || n == "Common" || strings.HasPrefix(n, "CommonX") // names of embedded structs
	})
}

// picker returns a function that makes names unique: different from taken names and from the names
// that every package declares.
func picker(taken map[string]bool) func(name, key string) string {
	pick := name.Picker(taken)
	return func(n, key string) string {
		if decoderReserved[n] {
			n += "X" + name.Fingerprint(key, 4)
		}
		return pick(n, key)
	}
}

// numbered is the beginning of Ident for events that are identified by a number, which follows it.
const numbered = "Hook"

// labelNames makes the names of events that are identified by a number. The names come from their
// labels: PICK BEGIN becomes PickBegin. If several events have one label, all their names end in
// their numbers. So do names that would collide with others. So a name never silently means another
// event when an event is added. Events without a label are called by their number: Ident.
func labelNames(events []*ir.Event) []string {
	names := make([]string, len(events))
	count := map[string]int{}
	for _, ev := range events {
		count[name.Label(ev.Label)]++
	}
	for i, ev := range events {
		switch base := name.Label(ev.Label); {
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

var endsInNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9][0-9A-Fa-f]{2}$|[0-9A-F]{3}$`)
})

// inTheWay reports whether a name looks like the name of an event that shares its label, or whether
// packages declare the name themselves.
func inTheWay(n string) bool {
	return decoderReserved[n] || endsInNumber().MatchString(n)
}

// eventLabel returns group:name for comments.
func eventLabel(group, name string) string { return page.Plain(group + ":" + name) }
