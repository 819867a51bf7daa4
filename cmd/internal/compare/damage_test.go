package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestDamagedExamples damages our side of each rule's example and compares it with the reference's
// side as make compare does. The comparison must reject every damage, or report that the rule was
// used less often than required, unless the rule documents why it cannot ("untied").
func TestDamagedExamples(t *testing.T) {
	rules, err := readRules("../../../testdata/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if r.kind == kindDied && r.ours == nil {
			t.Errorf("%s: any line of ours may follow", r.id)
			continue
		}
		t.Run(r.id, func(t *testing.T) {
			c := newDamageCase(t, r, rules)
			accepted := map[string][]string{}
			for _, d := range c.damages() {
				if !c.rejects(d) {
					accepted[d.free()] = append(accepted[d.free()], fmt.Sprintf("%s\n- %s+ %s", d.what, d.ref, d.ours))
				}
			}
			for _, what := range untiedParts {
				switch list, why := accepted[what], r.untied[what]; {
				case len(list) > 0 && why == "":
					t.Errorf("accepts %d damages, such as %s", len(list), list[0])
				case len(list) == 0 && why != "":
					t.Errorf("accepts no damage: its %s is tied", what)
				}
			}
		})
	}
}

// A damageCase compares the example of a rule between equal lines.
type damageCase struct {
	t         *testing.T
	rule      rule
	mode      mode
	recording string
	ref, ours string
	givers    []*rule // rules whose examples give what this rule's example takes
}

func newDamageCase(t *testing.T, r *rule, rules []*rule) *damageCase {
	c := &damageCase{t: t, rule: *r, recording: exampleRecording(r)}
	c.mode, _ = modeByName(r.modes[0])
	for _, text := range []struct {
		to   *string
		line string
	}{{&c.ref, r.refLine}, {&c.ours, r.ourLine}} {
		if text.line != "" && (text.to == &c.ours || r.kind != kindDied) {
			*text.to = text.line + "\n"
		}
	}
	for _, g := range rules {
		if g != r && gives(g, r) {
			c.givers = append(c.givers, g)
		}
	}
	c.rule.counting = true
	uses, unexplained := c.compare(damage{ref: c.ref, ours: c.ours})
	if unexplained > 0 || uses == 0 {
		t.Fatalf("the rule does not explain its example")
	}
	c.rule.counting, c.rule.uses = false, []allowance{{c.recording, uses}}
	return c
}

// gives reports whether g gives something that r takes.
func gives(g, r *rule) bool {
	names := func(r *rule, kind string) (list []string) {
		for _, name := range r.captureNames() {
			if rest, ok := strings.CutPrefix(name, kind); ok {
				list = append(list, rest)
			}
		}
		return list
	}
	given := names(g, "give_")
	moved := names(g, "move_")
	return slices.ContainsFunc(append(names(r, "take_"), names(r, "shift_")...),
		func(name string) bool { return slices.Contains(given, name) }) ||
		slices.ContainsFunc(names(r, "move_"), func(name string) bool { return slices.Contains(moved, name) })
}

// exampleRecording returns the name of a recording to which the rule applies.
func exampleRecording(r *rule) string {
	if len(r.recordings) == 0 {
		return "folder/name"
	}
	return strings.NewReplacer("*", "x", "?", "x").Replace(r.recordings[0])
}

// compare compares the example, and then a damaged one, between equal lines. It returns how often
// the second comparison used the rule, and the number of unexplained lines.
func (c *damageCase) compare(d damage) (uses, unexplained int) {
	rules := []*rule{&c.rule}
	for _, g := range c.givers {
		free := *g
		free.counting = true
		rules = append(rules, &free)
	}
	e := newExplainer(rules, c.mode.name, c.recording)
	e.others = exampleOthers(c.t, rules)
	var res *tally
	for _, text := range []damage{{ref: c.ref, ours: c.ours}, d} {
		res = newTally(job{mode: c.mode, recording: c.recording})
		clear(e.places)
		clear(e.given)
		for _, g := range c.givers {
			c.step(res, e, damage{ref: lines1(g.refLine), ours: lines1(g.ourLine)})
		}
		c.step(res, e, text)
		res.settle(e)
	}
	return res.uses[c.rule.id], res.unexplained
}

func lines1(s string) string {
	if s == "" {
		return ""
	}
	return s + "\n"
}

// step compares one pair of texts between equal lines.
func (c *damageCase) step(res *tally, e *explainer, d damage) {
	refLayout, ourLayout := exampleLayouts(c.mode, &c.rule)
	before, after := c.neighbours(0), c.neighbours(1)
	if c.rule.kind == kindDied {
		after = [2]string{}
	}
	ref := newBlockReaderSize(strings.NewReader(before[0]+d.ref+after[0]), refLayout, 4096)
	ours := newBlockReaderSize(strings.NewReader(before[1]+d.ours+after[1]), ourLayout, 4096)
	if d.swapped {
		ours = newBlockReaderSize(strings.NewReader(d.ours+before[1]+after[1]), ourLayout, 4096)
	}
	fn := func(p pair) { res.addApart(p, e) }
	if c.rule.kind == kindDied {
		fn = func(p pair) { res.addFailed(p, e, exampleOutput(&c.rule), c.rule.refLine) }
	}
	refErr, ourErr := align(ref, ours, window, fn)
	if refErr != nil || ourErr != nil {
		c.t.Fatal(refErr, ourErr)
	}
}

// exampleLayouts returns the layouts of a rule's example.
func exampleLayouts(m mode, r *rule) (ref, ours layout) {
	if strings.HasPrefix(m.name, "u-") {
		l := outputLayout{[]byte(exampleOutput(r))}
		return l, l
	}
	return m.layouts()
}

// exampleOutput returns the name of an output of uftrace to which the rule applies.
func exampleOutput(r *rule) string {
	if len(r.events) == 0 {
		return "x.txt"
	}
	return strings.ReplaceAll(r.events[0], "*", "x")
}

// exampleOthers makes the other texts that rules read, from the rules' examples.
func exampleOthers(t *testing.T, rules []*rule) map[string]other {
	others := map[string]other{}
	for _, r := range rules {
		switch o := others[r.other].(type) {
		case nil:
			if r.other != "" {
				others[r.other] = exampleOther(t, r)
			}
		case records:
			o.add(example(t, "report", r.otherLine, true))
		case outputLines:
			others[r.other] = append(o, exampleOther(t, r).(outputLines)...)
		}
	}
	return others
}

func exampleOther(t *testing.T, r *rule) other {
	switch {
	case r.other == "data":
		return files{exampleData(t, r)}
	case recordedLists[r.other] != nil:
		return newList(r.otherLine + "\n")
	case strings.HasPrefix(r.modes[0], "u-"):
		return outputLines(bytes.SplitAfter([]byte(r.otherLine+"\n"), []byte("\n")))
	}
	o := records{}
	o.add(example(t, "report", r.otherLine, true))
	return o
}

// exampleData makes a file with the bytes of the example's line at its offset.
func exampleData(t *testing.T, r *rule) []byte {
	m := match{r.ours, []byte(r.ourLine), r.ours.FindSubmatchIndex([]byte(r.ourLine))}
	offset, _ := m.named("offset")
	list, _ := m.named("bytes")
	at, err := strconv.ParseUint(offset, 16, 20)
	data, errData := hex.DecodeString(strings.ReplaceAll(list, " ", ""))
	if err != nil || errData != nil {
		t.Fatal(err, errData)
	}
	return append(make([]byte, at), data...)
}

// neighbours returns equal lines of both sides.
func (c *damageCase) neighbours(i int) [2]string {
	name := [...]string{"before", "after"}[i]
	switch {
	case strings.HasPrefix(c.mode.name, "u-"):
		return [2]string{name + "\n", name + "\n"}
	case strings.HasPrefix(c.mode.name, "l-"):
		line := fmt.Sprintf("other.%s: 1.00000000%d (file), 1\n", name, i)
		return [2]string{line, line}
	case c.mode.name == "graph":
		return [2]string{fmt.Sprintf(" 0)   1.000 us    |  %s();\n", name),
			fmt.Sprintf("  x-1   [000]     1.000000: funcgraph_entry:        1.000 us   |  %s();\n", name)}
	}
	line := fmt.Sprintf("  x-1   [000] .....   %d.000000: other: ", 1+i*90000)
	if c.mode.name == "kernel" {
		return [2]string{line + name + "\n", line + strings.Repeat(" ", eventColumn-len("other: ")) + name + "\n"}
	}
	return [2]string{line + name + "\n", line + name + "\n"}
}
