package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
)

// A rule explains one kind of difference between the reference text and ours. The document
// testdata/differences.md contains the rules: prose that explains why our text is right, then a
// block
//
//	```rule
//	id: mm-page-pfn
//	modes: report N
//	events: mm_page_*
//	ref: page=0x[0-9a-f]+ pfn=(?P<pfn>0x[0-9a-f]+)
//	ours: page=\S+ pfn=(?P<pfn>0x[0-9a-f]+)
//	ref-line: …: mm_page_free: page=0x1c2d3 pfn=0x1c2d3 order=0
//	our-line: …: mm_page_free: page=0xffffea… pfn=0x1c2d3 order=0
//	```
//
// The keys are: host (the property of this machine that it depends on), kind (fragment if absent,
// drop, add, died), modes, events (globs; * if absent), recordings (globs for folder/name; * if
// absent), ref, ours, and one example pair, which a test checks; uses (budget.go); untied (the
// parts that the example leaves free, and why: damage_test.go); table, bits (agree.go); and other
// with its example other-line (other.go), for a text that confirms ours. See explain.go for the
// meaning of the expressions.
type rule struct {
	id         string
	kind       string
	modes      []string
	events     []string
	recordings []string
	ref, ours  *regexp.Regexp
	refLine    string
	ourLine    string
	host       string // property of this machine that decides whether the difference exists
	uses       []allowance
	untied     map[string]string // reason why the rule accepts other texts of ours, by the free part
	counting   bool              // uses are counted without a limit
	table      map[string]string // our text by the reference's text, for captures named table_
	bits       []bit             // for captures named bits_
	other      string            // an additional text with otherExpr about the same record
	otherExpr  *regexp.Regexp
	otherLine  string
	line       int
}

// Kinds of rules.
const (
	kindFragment = "fragment" // part of a line differs
	kindDrop     = "drop"     // the reference has a line that we do not print
	kindAdd      = "add"      // we print a line that the reference lacks
	kindDied     = "died"     // uftrace died with the message that ref matches; ours matches our further lines
)

// untiedParts are the parts of our line that a rule may leave free: its text, its end, and its
// place among the others.
var untiedParts = []string{"text", "end", "place"}

// parseRules reads the rule blocks of a Markdown document. Every block needs prose between the
// preceding heading and itself, since a rule needs a reason.
func parseRules(name string, r io.Reader) ([]*rule, error) {
	var (
		rules []*rule
		errs  []error
		cur   *rule
		prose bool
	)
	fail := func(line int, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s:%d: %s", name, line, fmt.Sprintf(format, args...)))
	}
	scan := bufio.NewScanner(r)
	for n := 1; scan.Scan(); n++ {
		line := scan.Text()
		switch {
		case cur == nil && strings.TrimSpace(line) == "```rule":
			cur = &rule{kind: kindFragment, line: n}
			if !prose {
				fail(n, "a rule needs the reason above it")
			}
		case cur != nil && strings.TrimSpace(line) == "```":
			if err := cur.check(rules); err != nil {
				fail(cur.line, "%v", err)
			}
			rules, cur = append(rules, cur), nil
		case cur != nil:
			if err := cur.set(line); err != nil {
				fail(n, "%v", err)
			}
		case strings.HasPrefix(line, "#"):
			prose = false
		case strings.TrimSpace(line) != "":
			prose = true
		}
	}
	if cur != nil {
		fail(cur.line, "rule block without end")
	}
	return rules, errors.Join(append(errs, scan.Err())...)
}

// set parses one "key: value" line of a block.
func (r *rule) set(line string) (err error) {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return fmt.Errorf("want key: value, got %q", line)
	}
	value = strings.TrimPrefix(value, " ")
	switch key {
	case "id":
		r.id = value
	case "kind":
		r.kind = value
	case "modes":
		r.modes = strings.Fields(value)
	case "events":
		r.events, err = globs(value)
	case "recordings":
		r.recordings, err = globs(value)
	case "ref":
		r.ref, err = regexp.Compile(value)
	case "ours":
		r.ours, err = regexp.Compile(`\A(?:` + value + `)`)
	case "host":
		r.host = value
	case "uses":
		list, err := parseUses(value)
		r.uses = append(r.uses, list...)
		return err
	case "untied":
		what, why, _ := strings.Cut(value, ": ")
		if why == "" || !contains(untiedParts, what) {
			return fmt.Errorf("untied: want PART: WHY with PART one of %q, got %q", untiedParts, value)
		}
		if r.untied == nil {
			r.untied = map[string]string{}
		}
		r.untied[what] = why
	case "table", "bits":
		return r.setNames(key, value)
	case "other":
		name, expr, _ := strings.Cut(value, " ")
		r.other = name
		r.otherExpr, err = regexp.Compile(expr)
	case "other-line":
		r.otherLine = unescape(value)
	case "ref-line":
		r.refLine = unescape(value)
	case "our-line":
		r.ourLine = unescape(value)
	default:
		return fmt.Errorf("unknown key %q", key)
	}
	return err
}

// unescape restores the newlines in an example of a block with several lines.
func unescape(s string) string { return strings.ReplaceAll(s, `\n`, "\n") }

func globs(value string) ([]string, error) {
	list := strings.Fields(value)
	for _, g := range list {
		if _, err := path.Match(g, ""); err != nil {
			return nil, fmt.Errorf("%q: %w", g, err)
		}
	}
	return list, nil
}

func (r *rule) check(before []*rule) error {
	for _, b := range before {
		if b.id == r.id {
			return fmt.Errorf("rule %q is already at line %d", r.id, b.line)
		}
	}
	needRef := r.kind == kindFragment || r.kind == kindDrop || r.kind == kindDied
	needOurs := r.kind == kindFragment || r.kind == kindAdd || r.kind == kindDied && r.ours != nil
	switch {
	case r.id == "":
		return errors.New("rule without id")
	case !needRef && !needOurs:
		return fmt.Errorf("rule %s: unknown kind %q", r.id, r.kind)
	case len(r.modes) == 0:
		return fmt.Errorf("rule %s: no modes", r.id)
	case needRef != (r.ref != nil) || needOurs != (r.ours != nil):
		return fmt.Errorf("rule %s: a %s rule needs ref: %t, ours: %t", r.id, r.kind, needRef, needOurs)
	case needRef != (r.refLine != "") || needOurs != (r.ourLine != ""):
		return fmt.Errorf("rule %s: a %s rule needs ref-line: %t, our-line: %t", r.id, r.kind, needRef, needOurs)
	case (r.other == "" || r.other == "data") != (r.otherLine == ""):
		return fmt.Errorf("rule %s: other and other-line belong together", r.id)
	}
	if err := r.checkCaptures(); err != nil {
		return fmt.Errorf("rule %s: %w", r.id, err)
	}
	for _, m := range r.modes {
		if _, ok := modeByName(m); !ok {
			return fmt.Errorf("rule %s: unknown mode %q", r.id, m)
		}
	}
	return nil
}

// checkCaptures checks that every capture is compared with another, with a known prefix.
func (r *rule) checkCaptures() error {
	names := r.captureNames()
	for _, name := range names {
		kind, _, _ := strings.Cut(name, "_")
		others := 0
		for _, n := range names {
			if n == name {
				others++
			}
		}
		switch {
		case name == "":
		case !knownPrefix(name):
			return fmt.Errorf("capture %s: no such prefix", name)
		case others < 2 && kind != "give" && kind != "take" && kind != "move" && r.other != "data":
			return fmt.Errorf("capture %s is compared with nothing", name)
		}
	}
	return nil
}

// captureNames returns the names of the groups in the rule's expressions.
func (r *rule) captureNames() (list []string) {
	for _, re := range []*regexp.Regexp{r.ref, r.ours, r.otherExpr} {
		if re != nil {
			list = append(list, re.SubexpNames()...)
		}
	}
	return list
}

// applies reports whether the rule may explain a difference of this event in this recording.
func (r *rule) applies(mode, recording, event string) bool {
	return (contains(r.modes, mode) || contains(r.modes, base(mode))) && matches(r.recordings, recording) &&
		matches(r.events, event)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func matches(globs []string, s string) bool {
	for _, g := range globs {
		if ok, _ := path.Match(g, s); ok {
			return true
		}
	}
	return len(globs) == 0
}
