package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// An other is an additional text about the same records as the compared one. Rules name it, with an
// expression whose captures must agree with the captures of the rule's ours:
//
//	other: R flags=(?P<bits_f>\d+)
//	other: 0.19/replay.txt (?P<line> +\w+\(\) \{)
//
// others_read.go lists them.
type other interface {
	// confirms reports whether the text confirms the matches of a rule. ref is empty if the
	// reference has no such line.
	confirms(e *explainer, r *rule, ref, ours match) bool
}

// agreesWithOther reports whether the rule's other text confirms our match. It returns true for
// rules without another text.
func (e *explainer) agreesWithOther(r *rule, ref, ours match) bool {
	if r.other == "" {
		return true
	}
	o := e.other(r.other)
	return o != nil && o.confirms(e, r, ref, ours)
}

// other returns the text with a name, or nil. It reads the text on first use.
func (e *explainer) other(name string) other {
	o, ok := e.others[name]
	if !ok && e.read != nil {
		var err error
		o, err = e.read(name)
		e.err = errors.Join(e.err, err)
		e.others[name] = o
	}
	return o
}

// agreesWith reports whether the rule's other expression matches a text with captures that agree
// with ours, and with the captures of ref if there is one.
func (e *explainer) agreesWith(r *rule, text []byte, ref, ours match) bool {
	return e.agreesWithAny(r, text, r.otherExpr.FindAllSubmatchIndex(text, -1), ref, ours)
}

// agreesWithAny is agreesWith for the given matches of the expression.
func (e *explainer) agreesWithAny(r *rule, text []byte, matches [][]int, ref, ours match) bool {
	for _, m := range matches {
		found, mark := match{r.otherExpr, text, m}, e.mark()
		if e.agree(r, found, ours) && (ref.re == nil || e.agree(r, ref, found)) {
			return true
		}
		e.undo(mark)
	}
	return false
}

// records are the blocks of one of trace-cmd's texts, by task, CPU, time and event. One block of
// the same record must match.
type records map[string][][]byte

func (t records) add(b *block) {
	key := recordKey(b)
	t[key] = append(t[key], bytes.Clone(b.text))
}

// recordKey returns a key for a record that is the same in all texts of trace-cmd, regardless of
// their columns.
func recordKey(b *block) string {
	line := firstLine(b.text)
	f, ok := cutEvent(line)
	if !ok {
		return string(line)
	}
	return string(slices.Concat(bytes.TrimSpace(line[:f.task]), line[f.open:f.end+1], line[f.time:f.rest])) + b.event
}

func (t records) confirms(e *explainer, r *rule, _, ours match) bool {
	return slices.ContainsFunc(t[recordKey(e.pair.some())], func(text []byte) bool {
		return e.agreesWith(r, text, match{}, ours)
	})
}

// outputLines are the lines of an output of uftrace. Lines that confirm one of our outputs must be
// in their order.
type outputLines [][]byte

// A place identifies a position in a text for one of our outputs. Lines that one side lacks have a
// separate position.
type place struct{ other, output, kind string }

// reached is the last line that a rule has used at a place. Another rule may use it again, since
// one line can confirm two of ours.
type reached struct {
	line int
	rule string
}

func (t outputLines) confirms(e *explainer, r *rule, _, ours match) bool {
	at := place{r.other, e.pair.some().event, r.kind}
	last, known := e.places[at]
	for _, l := range e.pending {
		if l.place == at {
			last, known = l.reached, true
		}
	}
	from := last.line
	if known && last.rule == r.id {
		from++
	}
	for i := from; i < len(t); i++ {
		if e.agreesWith(r, t[i], match{}, ours) {
			e.pending = append(e.pending, lesson{place: at, reached: reached{i, r.id}})
			return true
		}
	}
	return false
}

// list is a text in a recording. Some part of it must match, and also agree with the rule's ref.
// Results are cached, since the text is long and queries repeat.
type list struct {
	text    []byte
	matches map[*rule][][]int // matches of the rule's other expression
	known   map[string]bool   // results by rule and matches
}

func newList(text string) list { return list{[]byte(text), map[*rule][][]int{}, map[string]bool{}} }

func (t list) confirms(e *explainer, r *rule, ref, ours match) bool {
	key := r.id + "\x00" + ref.String() + "\x00" + ours.String()
	known, ok := t.known[key]
	if !ok {
		known = e.agreesWithAny(r, t.text, t.find(r), ref, ours)
		t.known[key] = known
	}
	return known
}

// find returns the matches of the rule's other expression in the text.
func (t list) find(r *rule) [][]int {
	all, ok := t.matches[r]
	if !ok {
		all = r.otherExpr.FindAllSubmatchIndex(t.text, -1)
		t.matches[r] = all
	}
	return all
}

// files are the contents of a recording. One file must have the bytes of our capture "bytes" at
// "offset".
type files [][]byte

func (t files) confirms(_ *explainer, _ *rule, _, ours match) bool {
	offset, okOffset := ours.named("offset")
	list, okBytes := ours.named("bytes")
	at, err := strconv.ParseUint(offset, 16, 31)
	want, errBytes := hex.DecodeString(strings.ReplaceAll(list, " ", ""))
	if !okOffset || !okBytes || err != nil || errBytes != nil || len(want) == 0 {
		return false
	}
	return slices.ContainsFunc(t, func(file []byte) bool {
		return int(at) <= len(file) && bytes.HasPrefix(file[at:], want)
	})
}
