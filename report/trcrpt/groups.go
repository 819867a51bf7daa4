package trcrpt

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tracec/tracec/internal/trcfiles"
)

// Group is a named set of hooks.
type Group struct {
	Name        string
	Description string
	Type        string // trcevgrp cannot change groups of the type "reserved"
	Hooks       string // as written: ids separated by commas
}

// maxGroupFile bounds the part of a file of groups that is read, in bytes.
const maxGroupFile = 4 << 20

// ParseGroups parses groups in the form of the documentation of trace event groups for the ODM
// class SWservAt (aix.md 7):
//
//	SWservAt:
//	        attribute = "(tcp)_trcgrp"
//	        default = ""
//	        value = "252,340,535"
//
// with the attributes NAME_trcgrp, NAME_trcgrpdesc and NAME_trcgrptype. Parentheses and unneeded
// attributes are optional. Stanzas of other attributes and lines that begin with # or * are
// ignored. It also parses the output of trcevgrp -l:
//
//	tcp - Hooks of TCP (reserved) "252,340,535"
//
// The result is sorted by name.
func ParseGroups(name string, r io.Reader) ([]Group, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxGroupFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxGroupFile {
		return nil, fmt.Errorf("%s: more than %d bytes", name, maxGroupFile)
	}
	p := groupParser{byName: map[string]*Group{}}
	number := 0
	for l := range strings.Lines(string(text)) {
		number++
		if err := p.line(strings.TrimSpace(l)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	p.endStanza()
	var groups []Group
	for _, g := range p.byName {
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b Group) int { return cmp.Compare(a.Name, b.Name) })
	for _, g := range groups {
		if g.Hooks == "" {
			continue
		}
		if _, err := trcfiles.ParseHooks(nil, g.Hooks); err != nil {
			return nil, fmt.Errorf("%s: group %s: %w", name, g.Name, err)
		}
	}
	return groups, nil
}

// groupParser collects the attributes of stanzas.
type groupParser struct {
	byName           map[string]*Group
	open             bool
	attribute, value string
}

func (p *groupParser) line(l string) error {
	switch {
	case l == "" || l[0] == '#' || l[0] == '*':
		return nil
	case strings.HasSuffix(l, ":"):
		p.endStanza()
		p.open = true
		return nil
	}
	if m := printedGroup().FindStringSubmatch(l); m != nil {
		p.endStanza()
		p.open = false
		p.byName[m[1]] = &Group{Name: m[1], Description: strings.TrimSpace(m[2]), Type: m[3], Hooks: m[4]}
		return nil
	}
	name, value, ok := strings.Cut(l, "=")
	if !ok || !p.open {
		return fmt.Errorf("expected `SWservAt:` or `name = \"value\"`, found %q", l)
	}
	value = strings.Trim(strings.TrimSpace(value), `"`)
	switch strings.TrimSpace(name) {
	case "attribute":
		p.attribute = value
	case "value":
		p.value = value
	}
	return nil
}

// printedGroup is a line of trcevgrp -l: the name, the description, the type and the hooks.
var printedGroup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\S+) +- *(.*?) *\(([^()]*)\) *"([^"]*)"$`)
})

// endStanza stores the attribute of the stanza that ends.
func (p *groupParser) endStanza() {
	defer func() { p.attribute, p.value = "", "" }()
	at := strings.LastIndex(p.attribute, "_trcgrp")
	if at <= 0 {
		return
	}
	name := strings.TrimSuffix(strings.TrimPrefix(p.attribute[:at], "("), ")")
	g := p.byName[name]
	if g == nil {
		g = &Group{Name: name}
		p.byName[name] = g
	}
	switch p.attribute[at:] {
	case "_trcgrp":
		g.Hooks = p.value
	case "_trcgrpdesc":
		g.Description = p.value
	case "_trcgrptype":
		g.Type = p.value
	}
}

// AddGroups adds the hooks of groups to a set, which may be nil. list names the groups, separated
// by commas.
func AddGroups(set trcfiles.HookSet, groups []Group, list string) (trcfiles.HookSet, error) {
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		i := slices.IndexFunc(groups, func(g Group) bool { return g.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown group %q", name)
		}
		if groups[i].Hooks == "" {
			return nil, fmt.Errorf("group %q has no hooks", name)
		}
		var err error
		if set, err = trcfiles.ParseHooks(set, groups[i].Hooks); err != nil {
			return nil, err
		}
	}
	if set == nil {
		return nil, fmt.Errorf("%q names no group", list)
	}
	return set, nil
}

// AppendGroups appends the output of -G: name, description, type and hooks, with one paragraph for
// each group.
func AppendGroups(dst []byte, groups []Group) []byte {
	for _, g := range groups {
		dst = append(dst, g.Name...)
		if g.Description != "" {
			dst = fmt.Appendf(dst, " - %s", g.Description)
		}
		if g.Type != "" {
			dst = fmt.Appendf(dst, " (%s)", g.Type)
		}
		dst = fmt.Appendf(dst, "\n\t%s\n", g.Hooks)
	}
	return dst
}
