package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// An other is a text beside the one that is compared, which says of a record what that does not.
// Rules name it, with an expression whose captures must agree with those of the rule's ours:
//
//	other: R flags=(?P<bits_f>\d+)
//	other: 0.19/replay.txt (?P<line> +\w+\(\) \{)
//
// others_read.go lists them.
type other interface {
	// confirms reports whether the text confirms what a rule found. ref is empty where the
	// reference has no such line.
	confirms(e *explainer, r *rule, ref, ours match) bool
}

// agreesWithOther reports whether the text that the rule looks into confirms ours. Rules without
// one need none.
func (e *explainer) agreesWithOther(r *rule, ref, ours match) bool {
	if r.other == "" {
		return true
	}
	o := e.other(r.other)
	return o != nil && o.confirms(e, r, ref, ours)
}

// other returns a text that a rule names, which is read when it is first needed; nil if there is
// none.
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
// with ours, and with those of ref if there is one.
func (e *explainer) agreesWith(r *rule, text []byte, ref, ours match) bool {
	return e.agreesWithAny(r, text, r.otherExpr.FindAllSubmatchIndex(text, -1), ref, ours)
}

// agreesWithAny is agreesWith for what the expression matches.
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

// records are the blocks of one of trace-cmd's texts, by task, CPU, time and event: one of the same
// record must match.
type records map[string][][]byte

func (t records) add(b *block) {
	key := recordKey(b)
	t[key] = append(t[key], bytes.Clone(b.text))
}

// recordKey names a record as all texts of trace-cmd's do, whatever their columns.
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

// outputLines are those of an output of uftrace. What they confirm in one output of ours must be in
// their order.
type outputLines [][]byte

// A place is how far one output of ours has got in a text, apart for the lines that one side does
// not have.
type place struct{ other, output, kind string }

// reached is the line of a place that a rule found last. Another rule may find it again: one line
// can confirm two of ours.
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

// list is a text within a recording: some place of it must match, and agree with the rule's ref
// too. It is long, and asked for the same again and again.
type list struct {
	text    []byte
	matches map[*rule][][]int // of the rule's other expression
	known   map[string]bool   // by rule and what it found
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

// find returns what the rule's other expression matches in the text.
func (t list) find(r *rule) [][]int {
	all, ok := t.matches[r]
	if !ok {
		all = r.otherExpr.FindAllSubmatchIndex(t.text, -1)
		t.matches[r] = all
	}
	return all
}

// files are the contents of a recording: one must have the bytes that ours names, "bytes", at
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
