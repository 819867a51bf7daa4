package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// writeUses writes the uses of each rule in the compared recordings into the document, replacing
// their old numbers. It keeps the numbers of other recordings, globs, and higher numbers that may
// come from other machines.
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

// usesWidth is the maximum width of a line of uses.
const usesWidth = 130

// usesLines returns the lines with the allowances for a rule's block.
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

// replaceUses replaces the lines of uses at the ends of the rule blocks, by id.
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
