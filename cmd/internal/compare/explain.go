package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An explainer decides whether the rules account for a difference. One serves one recording in
// one mode, because pairs learnt by "map_" captures hold within a recording only.
type explainer struct {
	mode      string
	recording string
	rules     []*rule
	byEvent   map[string][]*rule

	witness *witness // nil when there is none

	learnt  map[learnt]string
	pending []lesson // learnt by the current pair, kept only if it ends well
}

// learnt is the key of a map_ capture: its name, which side's text is the key, and the text.
type learnt struct {
	name string
	ours bool
	text string
}

type lesson struct {
	key  learnt
	text string
}

func newExplainer(rules []*rule, mode, recording string) *explainer {
	return &explainer{
		mode: mode, recording: recording, rules: rules,
		byEvent: make(map[string][]*rule), learnt: make(map[learnt]string),
	}
}

// maxSteps bounds the search of one pair; a line that needs more is unexplained.
const maxSteps = 2000

// maxLearnt bounds what map_ captures remember.
const maxLearnt = 1 << 20

// explain returns the rules that together turn the reference's block into ours, or nil.
//
// Both texts are read from the left. Where they first differ, a fragment rule must match: its ref
// expression at a place that covers the difference, its ours expression at the same place in our
// text. Captures of the same name must agree (see agree). Behind the fragment the
// comparison goes on. So everything that no rule names must be equal.
func (e *explainer) explain(p pair) []*rule {
	switch {
	case p.ref == nil:
		return e.alone(kindAdd, p.ours)
	case p.ours == nil:
		return e.alone(kindDrop, p.ref)
	}
	steps := maxSteps
	e.pending = e.pending[:0]
	used := e.fragments(e.rulesFor(p.ref.event), p.ref.text, p.ours.text, &steps)
	if used == nil && p.ours.event != p.ref.event {
		used = e.fragments(e.rulesFor(p.ours.event), p.ref.text, p.ours.text, &steps)
	}
	if used != nil {
		e.keep()
		return used
	}
	if e.witness.confirms(p) {
		return []*rule{witnessRule}
	}
	return nil
}

func (e *explainer) alone(kind string, b *block) []*rule {
	for _, r := range e.rulesFor(b.event) {
		re := r.ref
		if kind == kindAdd {
			re = r.ours
		}
		if r.kind == kind && whole(re, b.text) {
			return []*rule{r}
		}
	}
	return nil
}

// whole reports whether re matches all of text but its last newline.
func whole(re *regexp.Regexp, text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("\n"))
	loc := re.FindIndex(text)
	return loc != nil && loc[0] == 0 && loc[1] == len(text)
}

func (e *explainer) rulesFor(event string) []*rule {
	list, ok := e.byEvent[event]
	if !ok {
		for _, r := range e.rules {
			if r.applies(e.mode, e.recording, event) {
				list = append(list, r)
			}
		}
		e.byEvent[event] = list
	}
	return list
}

// fragments returns the rules used, innermost last; nil when the texts cannot be reconciled.
func (e *explainer) fragments(rules []*rule, ref, ours []byte, steps *int) []*rule {
	at := commonPrefix(ref, ours)
	for _, r := range rules {
		if r.kind != kindFragment {
			continue
		}
		for _, m := range r.ref.FindAllSubmatchIndex(ref, -1) {
			if *steps--; *steps < 0 {
				return nil
			}
			if m[0] > at || m[1] < at {
				continue
			}
			tail, mark := ours[m[0]:], len(e.pending)
			o := r.ours.FindSubmatchIndex(tail)
			if o == nil || m[1]-m[0]+o[1] == 0 || !e.agree(r, ref, m, tail, o) {
				e.pending = e.pending[:mark]
				continue
			}
			restRef, restOurs := ref[m[1]:], tail[o[1]:]
			if bytes.Equal(restRef, restOurs) {
				return []*rule{r}
			}
			if used := e.fragments(rules, restRef, restOurs, steps); used != nil {
				return append(used, r)
			}
			e.pending = e.pending[:mark]
		}
	}
	return nil
}

func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// agree checks the captures that both expressions name. The prefix of the name says how:
//
//	num_x   the same 64-bit number, as 0x… or decimal, negative ones as two's complement
//	hex_x   the same number, both in hex with or without 0x
//	word_x  the same number modulo 2^32
//	byte_x  the same number modulo 2^8
//	hexdec_x, dechex_x  the same number, the reference's in hex and ours in decimal, or the other way round
//	code_x  the reference's number is the code of our character
//	words_x the reference's bytes, little-endian and four by four, are our numbers
//	args_x  the values of the reference's arguments, "fd=1, buf=0x2", are the first of our words, "1, 2, 3"
//	neg_x   one number the negative of the other
//	pre_x   ours is the beginning of the reference's
//	cut_x   the reference's is the beginning of ours
//	list_x  lists of hex numbers, whatever is between them
//	text_x  the reference's text is the bytes of our list up to the first that is no text
//	dev_x   the reference's dev_t is our major,minor (include/linux/kdev_t.h: 12 and 20 bits)
//	map_x   any two texts, but always the same two in this recording (a hashed pointer)
//	to_x    any two texts, but in this recording always the same of ours for one of the reference's
//	x       the same text
func (e *explainer) agree(r *rule, ref []byte, m []int, ours []byte, o []int) bool {
	for i, name := range r.ref.SubexpNames() {
		j := r.ours.SubexpIndex(name)
		if name == "" || j < 0 {
			continue
		}
		if m[2*i] < 0 || o[2*j] < 0 {
			if m[2*i] < 0 != (o[2*j] < 0) {
				return false
			}
			continue
		}
		x, y := string(ref[m[2*i]:m[2*i+1]]), string(ours[o[2*j]:o[2*j+1]])
		if !e.same(name, x, y) {
			return false
		}
	}
	return true
}

func (e *explainer) same(name, x, y string) bool {
	switch kind, _, _ := strings.Cut(name, "_"); kind {
	case "num":
		return sameNumber(x, y, 0)
	case "word":
		return sameModulo(x, 0, y, 0, 1<<32-1)
	case "byte":
		return sameModulo(x, 0, y, 0, 1<<8-1)
	case "hexdec":
		return sameModulo(x, 16, y, 10, 1<<64-1)
	case "dechex":
		return sameModulo(x, 10, y, 16, 1<<64-1)
	case "code":
		code, ok := number(x, 10)
		return ok && y == string(rune(code))
	case "words":
		return sameWords(x, y)
	case "args":
		return sameArgs(x, y)
	case "neg":
		a, okA := number(x, 0)
		b, okB := number(y, 0)
		return okA && okB && a == -b
	case "hex":
		return sameNumber(strings.TrimPrefix(x, "0x"), strings.TrimPrefix(y, "0x"), 16)
	case "pre":
		return strings.HasPrefix(x, y)
	case "cut":
		return strings.HasPrefix(y, x)
	case "list":
		return sameList(x, y)
	case "text":
		return sameText(x, y)
	case "dev":
		d, ok := number(x, 10)
		return ok && y == fmt.Sprintf("%d,%d", d>>20, d&(1<<20-1))
	case "to":
		return e.learn(learnt{name, false, x}, y)
	case "map":
		return e.learn(learnt{name, true, y}, x) && e.learn(learnt{name, false, x}, y)
	}
	return x == y
}

// learn reports whether key may stand for text, and notes it down until the pair is settled.
func (e *explainer) learn(key learnt, text string) bool {
	if known, ok := e.learnt[key]; ok {
		return known == text
	}
	for _, l := range e.pending {
		if l.key == key {
			return l.text == text
		}
	}
	e.pending = append(e.pending, lesson{key, text})
	return true
}

func (e *explainer) keep() {
	for _, l := range e.pending {
		if len(e.learnt) >= maxLearnt {
			return
		}
		e.learnt[l.key] = l.text
	}
}

// sameList compares "00:0a" with "0x0,0xa".
func sameList(x, y string) bool {
	notHex := func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) }
	a := strings.FieldsFunc(strings.ReplaceAll(x, "0x", " "), notHex)
	b := strings.FieldsFunc(strings.ReplaceAll(y, "0x", " "), notHex)
	return slices.EqualFunc(a, b, func(x, y string) bool { return sameNumber(x, y, 16) })
}

// sameText compares "ab" with "0x61,0x62,0x0,…".
func sameText(text, list string) bool {
	for word := range strings.SplitSeq(list, ",") {
		b, ok := number(word, 0)
		switch {
		case !ok || b > 255:
			return text == "" && list == ""
		case text == "" || text[0] != byte(b):
			return text == "" && b == 0
		}
		text = text[1:]
	}
	return text == ""
}

// sameWords compares "01, 00, 00, 00, 02, 00, 00, 00" with "0x1,0x2".
func sameWords(bytes, list string) bool {
	b := strings.FieldsFunc(bytes, func(c rune) bool { return c == ',' || c == ' ' })
	words := strings.FieldsFunc(list, func(c rune) bool { return c == ',' })
	if len(b) != 4*len(words) {
		return false
	}
	for i, word := range words {
		little := b[4*i+3] + b[4*i+2] + b[4*i+1] + b[4*i]
		if !sameModulo(little, 16, word, 0, 1<<32-1) {
			return false
		}
	}
	return true
}

// enumeratorName is what the kernel adds to the value of an argument: "sgp=0 [SGP_READ]".
var enumeratorName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// sameArgs compares "fd=4294967196, s=(STRUCT)[0x1:0x2]" with "ffffff9c, 1, 2, 0".
func sameArgs(args, words string) bool {
	values := strings.FieldsFunc(args, func(c rune) bool { return c == ',' || c == ' ' || c == ':' || c == '[' || c == ']' })
	ours := strings.FieldsFunc(words, func(c rune) bool { return c == ',' || c == ' ' })
	for _, v := range values {
		if i := strings.LastIndexByte(v, '='); i >= 0 {
			v = v[i+1:]
		}
		if v == "(STRUCT)" || v == "(UNION)" || enumeratorName.MatchString(v) {
			continue
		}
		if v == "..." {
			return len(ours) == 0
		}
		if len(ours) == 0 || !sameModulo(v, 0, ours[0], 16, 1<<64-1) {
			return false
		}
		ours = ours[1:]
	}
	return true
}

func sameModulo(x string, baseX int, y string, baseY int, mask uint64) bool {
	a, okA := number(x, baseX)
	b, okB := number(y, baseY)
	return okA && okB && a&mask == b&mask
}

func sameNumber(x, y string, base int) bool {
	a, okA := number(x, base)
	b, okB := number(y, base)
	return okA && okB && a == b
}

// number reads 0x12, 12 and -12 (as two's complement).
func number(s string, base int) (uint64, bool) {
	if u, err := strconv.ParseUint(s, base, 64); err == nil {
		return u, true
	}
	i, err := strconv.ParseInt(s, base, 64)
	return uint64(i), err == nil
}
