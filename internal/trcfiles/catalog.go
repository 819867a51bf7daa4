package trcfiles

import (
	"strings"

	compiler "github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/aix"
)

// Catalog returns the hooks of templates for a recording or file with the given name. A recording
// may have hooks without a template, which patterns for ids select.
func Catalog(name string, templates []*compiler.Template) *selection.Catalog {
	c := &selection.Catalog{Recording: name, Noun: "hook", NoSystems: true, Matches: matchesHook, Possible: choosesID}
	for _, t := range templates {
		c.Events = append(c.Events, NameOf(t.Hook, t.Label))
	}
	return c
}

// StanzaCatalog returns the contents of a file of templates. Patterns can select only these.
func StanzaCatalog(name string, stanzas []*grammar.Stanza) *selection.Catalog {
	c := &selection.Catalog{Recording: name, Noun: "template", Matches: matchesHook}
	for _, s := range stanzas {
		c.Events = append(c.Events, NameOf(s.Hook.Value, strings.TrimPrefix(s.Label, "@")))
	}
	return c
}

// NameOf returns the name of a hook in catalogs.
func NameOf(id uint16, label string) selection.Name {
	return selection.Name{System: "aix", Name: aix.HookName(id), Alias: label}
}

func matchesHook(p pattern.Pattern) (func(selection.Name) bool, error) {
	match, err := Matcher([]string{p.String()})
	return func(n selection.Name) bool { return match(n.Name, n.Alias) }, err
}

// choosesID reports whether a pattern selects some hook id.
func choosesID(pattern string) bool {
	match, err := Matcher([]string{pattern})
	for id := 0; err == nil && id < 1<<16; id++ {
		if match(aix.HookName(uint16(id)), "") {
			return true
		}
	}
	return false
}

// Matcher returns the function that selects hooks by globs over their id or the label of their
// template. Without globs it returns nil, which selects all.
func Matcher(globs []string) (func(name, label string) bool, error) {
	if len(globs) == 0 {
		return nil, nil
	}
	match, err := selection.EventMatcher(globs)
	if err != nil {
		return nil, err
	}
	return func(name, label string) bool {
		return match("aix", name) || match("aix", strings.ToLower(name)) || match("aix", label)
	}, nil
}

// Hooks of the trace facility itself (aix.md 2.7), in their form of 16 bits.
const (
	HookHeader  = 0x0030 // 003: the first hook of a trace
	HookUtility = 0x00A0 // 00A
)

// DescribesSystem reports whether an event describes the system and the trace itself. Such events
// are neither printed nor counted among others.
func DescribesSystem(id uint16, e *aix.Entry) bool {
	return id == HookHeader || id == HookUtility || e.Has(aix.Initial)
}
