// Package trcfile changes files of AIX templates as trcupdate does (aix.md 6).
//
// # Choices
//
//   - A new stanza is inserted before the first stanza with a larger id, directly after the stanza
//     before that. So sorted files remain sorted. In a file that begins with a larger id it is the
//     first. Without a larger id it follows the last stanza.
//   - An operator whose hook occurs several times in the template file is an error.
//   - Removing a missing stanza and replacing a stanza by an older one are not errors:
//     Change.Skipped reports them.
//   - The undo file has the operators in reverse order.
package trcfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// Header is the first line of update files.
const Header = "* /etc/trcfmt"

// Rule selects the stanzas that an update replaces.
type Rule uint8

// The rules (aix.md 4.14).
const (
	SameOrLater Rule = iota // AIX 7.1
	Later                   // older releases: a stanza with the same version is not replaced
	AnyVersion              // trcupdate -o
)

// Change is the result of one operator.
type Change struct {
	Pos     lexer.Position // position of the operator
	Hook    string
	Old     *grammar.Stanza // nil if there was none
	New     *grammar.Stanza // nil if removed
	Skipped string          // reason for doing nothing; empty if something was done
}

// Result is the result of an update.
type Result struct {
	Text    []byte // text of the template file
	Undo    []byte // update file that reverts the changes; nil if there are none
	Changes []Change
}

// Update applies the operators of an update file to a template file. Neither may have mistakes,
// except in stanzas of the template file that no operator names. For mistakes the error is a
// diag.List.
func Update(templates *Source, update *Source, rule Rule) (*Result, error) {
	if err := update.check(); err != nil {
		return nil, err
	}
	u := updater{rule: rule, stanzas: pieces(templates)}
	for _, item := range update.File.Items {
		var err error
		switch x := item.(type) {
		case *grammar.Delete:
			err = u.apply(x.Pos, x.Hook, nil, "")
		case *grammar.Stanza:
			err = u.apply(x.Pos, x.Hook, x, update.stanza(x))
		}
		if err != nil {
			return nil, err
		}
	}
	return u.result(), nil
}

// piece is a part of a template file: a stanza, or text between stanzas.
type piece struct {
	text   string
	stanza *grammar.Stanza // nil for comments and blank lines
}

// pieces divides a file at its stanzas.
func pieces(s *Source) []piece {
	var list []piece
	at := 0
	for _, st := range s.File.Stanzas {
		begin, end := s.lines(st)
		if begin > at {
			list = append(list, piece{text: s.Text[at:begin]})
		}
		list = append(list, piece{text: s.Text[begin:end], stanza: st})
		at = end
	}
	if at < len(s.Text) {
		list = append(list, piece{text: s.Text[at:]})
	}
	return list
}

// updater holds the template file during an update.
type updater struct {
	rule    Rule
	stanzas []piece
	changes []Change
	undo    []string
}

// apply applies one operator: it adds or replaces a stanza, or removes it if stanza is nil.
func (u *updater) apply(pos lexer.Position, hook grammar.HookID, stanza *grammar.Stanza, text string) error {
	at, err := u.find(pos, hook)
	if err != nil {
		return err
	}
	c := Change{Pos: pos, Hook: hook.Text, New: stanza}
	if at >= 0 {
		c.Old = u.stanzas[at].stanza
	}
	c.Skipped = u.reason(&c)
	u.changes = append(u.changes, c)
	if c.Skipped != "" {
		return nil
	}
	old := "- " + hook.Text + "\n"
	if c.Old != nil {
		old = "+ " + u.stanzas[at].text
	}
	u.undo = append(u.undo, old)
	switch {
	case stanza == nil:
		u.stanzas = slices.Delete(u.stanzas, at, at+1)
	case at >= 0:
		u.stanzas[at] = piece{text, stanza}
	default:
		u.insert(piece{text, stanza})
	}
	return nil
}

// find returns the index of a hook's stanza, or -1.
func (u *updater) find(pos lexer.Position, hook grammar.HookID) (int, error) {
	at := -1
	for i, p := range u.stanzas {
		if p.stanza == nil || p.stanza.Hook.Value != hook.Value {
			continue
		}
		if at >= 0 {
			return 0, fmt.Errorf("%s: hook %s is in the template file twice: %s and %s",
				pos, hook.Text, u.stanzas[at].stanza.Pos, p.stanza.Pos)
		}
		at = i
	}
	return at, nil
}

// reason returns why an operator does nothing, or "".
func (u *updater) reason(c *Change) string {
	switch {
	case c.Old == nil && c.New == nil:
		return "no such template"
	case c.Old == nil || c.New == nil || u.rule == AnyVersion:
		return ""
	}
	order := compare(c.New, c.Old)
	if order < 0 || order == 0 && u.rule == Later {
		word := "not later than"
		if order < 0 {
			word = "older than"
		}
		return fmt.Sprintf("version %d.%d is %s %d.%d", c.New.Version, c.New.Release, word, c.Old.Version,
			c.Old.Release)
	}
	return ""
}

// compare compares stanzas by version and release.
func compare(a, b *grammar.Stanza) int {
	if a.Version != b.Version {
		return a.Version - b.Version
	}
	return a.Release - b.Release
}

// insert inserts a new stanza after the stanzas with smaller ids.
func (u *updater) insert(p piece) {
	behind, first := -1, -1
	for i, q := range u.stanzas {
		if q.stanza == nil {
			continue
		}
		if first < 0 {
			first = i
		}
		if q.stanza.Hook.Value > p.stanza.Hook.Value {
			break
		}
		behind = i
	}
	switch {
	case behind >= 0:
		u.endLine(behind)
		u.stanzas = slices.Insert(u.stanzas, behind+1, p)
	case first >= 0:
		u.stanzas = slices.Insert(u.stanzas, first, p)
	default:
		if n := len(u.stanzas); n > 0 {
			u.endLine(n - 1)
		}
		u.stanzas = append(u.stanzas, p)
	}
}

// endLine adds the newline if the last line of a file lacks it.
func (u *updater) endLine(i int) {
	if t := u.stanzas[i].text; !strings.HasSuffix(t, "\n") {
		u.stanzas[i].text = t + "\n"
	}
}

func (u *updater) result() *Result {
	r := &Result{Changes: u.changes}
	for _, p := range u.stanzas {
		r.Text = append(r.Text, p.text...)
	}
	if len(u.undo) == 0 {
		return r
	}
	r.Undo = append(r.Undo, Header+"\n"...)
	for _, t := range slices.Backward(u.undo) {
		r.Undo = append(r.Undo, t...)
		if !strings.HasSuffix(t, "\n") {
			r.Undo = append(r.Undo, '\n')
		}
	}
	return r
}
