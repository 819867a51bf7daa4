package main

import (
	"slices"
	"strings"
)

// A damage is a changed text of ours for an example, or a line of the reference that we do not
// have.
type damage struct {
	what      string
	ref, ours string
	swapped   bool // exchanged with the previous line
}

// free names the part that a rule leaves free if it accepts the damage: the place of the line, its
// end, or its text.
func (d damage) free() string {
	switch {
	case d.swapped:
		return "place"
	case d.what == cut:
		return "end"
	}
	return "text"
}

// cut is a separate damage: a list of any length cannot fix its end.
const cut = "the rest of the line is missing"

// rejects reports whether the comparison finds a damage.
func (c *damageCase) rejects(d damage) bool {
	uses, unexplained := c.compare(d)
	return unexplained > 0 || uses < c.rule.uses[0].uses
}

// damages returns every damage of the example that the layout of its mode passes on to the rules.
func (c *damageCase) damages() (list []damage) {
	if c.rule.kind == kindDrop {
		for _, text := range damagedTexts(c.ref) {
			list = append(list, damage{what: "another line is missing: " + text.what, ref: text.ours})
		}
		return append(list, damage{what: "two lines are missing", ref: c.ref + c.ref})
	}
	list = append(damagedTexts(c.ours), damagedLines(c.ours)...)
	for i := range list {
		list[i].ref = c.ref
	}
	list = append(list, damage{what: "swapped with the line before", ref: c.ref, ours: c.ours, swapped: true})
	return slices.DeleteFunc(list, func(d damage) bool { return !d.swapped && c.read(d.ours) == c.read(c.ours) })
}

// read returns a text of ours as its layout reads it.
func (c *damageCase) read(text string) string {
	_, l := exampleLayouts(c.mode, &c.rule)
	var out strings.Builder
	for r, b := newBlockReaderSize(strings.NewReader(text), l, 4096), new(block); r.next(b) == nil; {
		out.Write(b.text)
	}
	return out.String()
}

// damagedTexts changes letters and digits, omits characters, shifts columns and truncates the text.
func damagedTexts(text string) (list []damage) {
	add := func(what, ours string) {
		if ours != text {
			list = append(list, damage{what: what, ours: ours})
		}
	}
	for i := range len(text) - 1 {
		for _, c := range otherBytes(text[i]) {
			add("a character is another", text[:i]+string(rune(c))+text[i+1:])
		}
		add("a character is missing", text[:i]+text[i+1:])
		if text[i] == ' ' {
			add("a column is shifted", text[:i]+" "+text[i:])
			add("a column is shifted", text[:i]+"   "+text[i:])
			add(cut, text[:i]+text[i+strings.IndexByte(text[i:], '\n'):])
		}
	}
	return list
}

// damagedLines omits, repeats and exchanges lines.
func damagedLines(text string) (list []damage) {
	all := slices.Collect(strings.Lines(text))
	for i := range all {
		list = append(list,
			damage{what: "a line is missing", ours: strings.Join(slices.Concat(all[:i], all[i+1:]), "")},
			damage{what: "a line is there twice", ours: strings.Join(slices.Concat(all[:i+1], all[i:]), "")})
		if i > 0 && all[i] != all[i-1] {
			list = append(list, damage{what: "lines are swapped",
				ours: strings.Join(slices.Concat(all[:i-1], []string{all[i], all[i-1]}, all[i+1:]), "")})
		}
	}
	return list
}

// otherBytes returns the bytes that replace a letter or digit.
func otherBytes(c byte) []byte {
	switch {
	case c >= '0' && c <= '9':
		return []byte{'0' + (c-'0'+1)%10, '0' + (c-'0'+5)%10}
	case c >= 'a' && c < 'z', c >= 'A' && c < 'Z':
		return []byte{c + 1}
	}
	return nil
}
