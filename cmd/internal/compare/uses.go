package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// writeUses writes into the document how often each rule was used in the recordings that were
// compared, in place of what it said of them. What it says of other recordings stays, and so do
// globs, and what other machines may have more of.
func writeUses(name string, rules []*rule, tallies []*tally) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	most := mostUses(tallies)
	lines := map[string][]string{}
	for _, r := range rules {
		lines[r.id] = usesLines(r.counted(most))
	}
	return os.WriteFile(name, replaceUses(text, lines), 0o644)
}

// counted returns the allowances of a rule after a comparison.
func (r *rule) counted(most map[string]map[string]int) []allowance {
	var list []allowance
	for _, a := range r.uses {
		n, compared := most[a.recording]
		if !compared || r.host != "" && n[r.id] < a.uses {
			list = append(list, a)
		}
	}
	for recording, uses := range most {
		base, _, newer := strings.Cut(recording, "@")
		n := uses[r.id]
		_, compared := most[base]
		if newer && compared && n == most[base][r.id] || n == 0 ||
			slices.ContainsFunc(list, func(a allowance) bool { return a.recording == recording }) {
			continue
		}
		list = append(list, allowance{recording, n})
	}
	slices.SortFunc(list, func(a, b allowance) int { return cmp.Compare(a.recording, b.recording) })
	return list
}

// usesWidth is how wide a line of uses may be.
const usesWidth = 130

// usesLines returns the lines of a rule's block for its allowances.
func usesLines(list []allowance) (lines []string) {
	last := ""
	for _, a := range list {
		folder, name, _ := strings.Cut(a.recording, "/")
		word := fmt.Sprintf(" %s=%d", name, a.uses)
		n := len(lines) - 1
		if folder != last || len(lines[n])+len(word) > usesWidth {
			lines, last = append(lines, "uses: "+folder), folder
			n++
		}
		lines[n] += word
	}
	return lines
}

// replaceUses puts lines of uses at the ends of the rule blocks, by id, in place of those that are
// there.
func replaceUses(text []byte, lines map[string][]string) []byte {
	var out bytes.Buffer
	inside, id := false, ""
	for raw := range bytes.Lines(text) {
		line := strings.TrimSpace(string(raw))
		switch {
		case line == "```rule":
			inside, id = true, ""
		case inside && line == "```":
			for _, l := range lines[id] {
				fmt.Fprintln(&out, l)
			}
			inside = false
		case inside && strings.HasPrefix(line, "id:"):
			id = strings.TrimSpace(line[len("id:"):])
		case inside && strings.HasPrefix(line, "uses:"):
			continue
		}
		out.Write(raw)
	}
	return out.Bytes()
}
