package own

import (
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/suggest"
)

type reflectTag = reflect.StructTag

// fieldTag is the contents of a tag `tracec:"NAME,OPTION,..."`.
type fieldTag struct {
	has    bool
	bad    bool // already reported
	quoted bool // the text is a name in any case: "-,"
	name   string
	at     token.Pos // of the name
	narrow bool
	zero   bool
	ok     bool
	unit   time.Duration // 0: none
}

// tagOptions are the options of a tag.
var tagOptions = []string{"narrow", "zero", "ok", "ns", "us", "ms", "s"}

var tagUnits = map[string]time.Duration{"ns": time.Nanosecond, "us": time.Microsecond, "ms": time.Millisecond,
	"s": time.Second}

// parseTag reads the tag of a field.
func (s *Structs) parseTag(t *fieldTag, lit *ast.BasicLit) {
	text, ok := structTag(lit)
	if !ok {
		s.nearTag(t, lit)
		return
	}
	t.has = true
	// In a raw string, which is the usual form, every word has its own place.
	at := lit.Pos()
	if i := strings.Index(lit.Value, `tracec:"`+text+`"`); i >= 0 && lit.Value[0] == '`' {
		at += token.Pos(i + len(`tracec:"`))
	}
	raw := at != lit.Pos()
	words := strings.Split(text, ",")
	t.name, t.at, t.quoted = words[0], at, len(words) > 1
	for i, w := range words {
		if i > 0 {
			s.tagOption(t, w, at)
		}
		if raw {
			at += token.Pos(len(w) + 1)
		}
	}
}

func (s *Structs) tagOption(t *fieldTag, w string, at token.Pos) {
	unit, isUnit := tagUnits[w]
	switch {
	case w == "narrow":
		t.narrow = true
	case w == "zero":
		t.zero = true
	case w == "ok":
		t.ok = true
	case isUnit && t.unit == 0:
		t.unit = unit
	case isUnit:
		t.bad = true
		s.report(&s.messages, at, "into-tag", "a second unit: %q", w)
	case w == "" && t.name == "-": // "-," is the name -
	default:
		t.bad = true
		s.report(&s.messages, at, "into-tag", "no such option: %q%s (there are %s)", w,
			suggest.DidYouMean(w, tagOptions), strings.Join(tagOptions, ", "))
	}
}

// hiddenKey matches the key tracec after text at which package reflect ends, such as another key
// without a space before ours. otherCase matches the key in capitals.
var (
	hiddenKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\w-]tracec:"`) })
	otherCase = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(^|[^\w-])tracec:`) })
)

// nearTag reports a key that is probably a misspelling of tracec.
func (s *Structs) nearTag(t *fieldTag, lit *ast.BasicLit) {
	text := strings.Trim(lit.Value, "`\"")
	if strings.HasPrefix(text, "tracec") { // without a colon, or without quotes after the colon
		t.bad = true
		s.report(&s.messages, lit.Pos(), "into-tag", "the tag does not parse: want `tracec:\"NAME\"`")
	} else if !hiddenKey().MatchString(text) && otherCase().MatchString(text) {
		t.bad = true
		s.report(&s.messages, lit.Pos(), "into-tag", "the key of tags for tracec is tracec, in lower case")
	} else if hiddenKey().MatchString(text) {
		t.bad = true
		s.report(&s.messages, lit.Pos(), "into-tag",
			"the tag does not parse: want KEY:\"VALUE\" and a space between them, such as `json:\"name\" tracec:\"NAME\"`")
	}
}

// find returns the event of a struct. It returns nil if it has added a message.
func (s *Structs) find(u *ir.Unit, x *Struct, known []string, messages *diag.List) *ir.Event {
	var found []*ir.Event
	for _, ev := range u.Events {
		if slices.ContainsFunc(References(ev), func(name string) bool { return x.isFor(ev, name, known) }) {
			found = append(found, ev)
		}
	}
	switch {
	case len(found) == 1:
		return found[0]
	case len(found) > 1:
		var names []string
		for _, ev := range found {
			names = append(names, References(ev)[0])
		}
		s.report(messages, x.at, "into-event", "%s may be %s", x.Event, strings.Join(names, " or "))
		return nil
	case !s.choosesUnknown(x):
		return nil
	}
	known = slices.Clone(known)
	for _, ev := range u.Events {
		known = append(known, References(ev)...)
	}
	separator := strings.IndexAny(x.Event, ":./")
	known = slices.DeleteFunc(known, func(name string) bool { // written in the form of the directive
		return separator >= 0 && !strings.Contains(name, x.Event[separator:separator+1]) ||
			separator < 0 && strings.ContainsAny(name, ":./")
	})
	like := suggest.DidYouMean(x.Event, known)
	if like == "" && len(s.list) > 1 && s.match == nil {
		like = ": if it is from another input, select structs by -e"
	}
	s.report(messages, x.at, "into-event", "unknown event %s%s", x.Event, like)
	return nil
}

// choosesUnknown reports whether a struct is selected although its event is unknown. Only the
// directive describes the event then. Other structs may be for another recording, with another
// decoder in the package.
func (s *Structs) choosesUnknown(x *Struct) bool {
	name := strings.TrimSuffix(x.Event, "/exit")
	if s.match == nil || s.match("", name, "") {
		return true
	}
	i := strings.IndexAny(name, ":./")
	return i >= 0 && s.match(name[:i], name[i+1:], "")
}

// isFor reports whether the directive of a struct names ev by name, one of the names of ev. The
// directive may name a group for an event without a group if known lists it: a function has its
// module.
func (x *Struct) isFor(ev *ir.Event, name string, known []string) bool {
	switch {
	case name == x.Event:
		return true
	case ev.Variants != nil:
		return strings.EqualFold(name, x.Event)
	}
	return ev.Group == "" && strings.HasSuffix(x.Event, ":"+name) &&
		slices.Contains(known, strings.TrimSuffix(x.Event, "/exit"))
}

// References returns the names that a directive may use for an event, the most specific first.
// Names of returns end in /exit, as in messages of package bind.
func References(ev *ir.Event) (names []string) {
	plain := []string{ev.Name}
	if ev.Label != "" && ev.Label != ev.Name {
		plain = append(plain, ev.Label)
	}
	if ev.Variants != nil {
		// 10C instead of 10C0, as in templates
		if short := strings.TrimSuffix(ev.Name, "0"); len(ev.Name) == 4 && short != ev.Name {
			plain = append(plain, short)
		}
		return plain
	}
	if ev.Group != "" {
		for _, name := range plain {
			names = append(names, ev.Group+":"+name, ev.Group+"."+name, ev.Group+"/"+name)
		}
	}
	names = append(names, plain...)
	if ev.Exit {
		for i := range names {
			names[i] += "/exit"
		}
	}
	return names
}

// Wants reports whether a struct may be for an event of a group and a name. Several events may have
// both.
func (s *Structs) Wants(group, name string) bool {
	for _, x := range s.list {
		for _, ref := range References(&ir.Event{Group: group, Name: name}) {
			if x.Event == ref || x.Event == ref+"/exit" {
				return true
			}
		}
	}
	return false
}
