package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSame(t *testing.T) {
	r := &rule{table: map[string]string{"W": "I"}, bits: []bit{{1, "A"}, {4, "B"}}}
	for _, tt := range []struct {
		name, x, y string
		want       bool
	}{
		{"x", "a", "a", true}, {"x", "a", "b", false},
		{"text", "a", "0x61", false}, {"text_x", "a", "0x61", true}, // only the prefix shows the base
		{"table_x", "W", "I", true}, {"table_x", "W", "W", false}, {"table_x", "V", "", false},
		{"bits_x", "5", "A|B", true}, {"bits_x", "0x4", "B", true}, {"bits_x", "2", "", true},
		{"bits_x", "5", "B|A", false}, {"bits_x", "x", "", false},
		{"each8_x", "1", "01, 02, 03, 04, 05, 06, 07, 08", true}, {"each8_x", "0", "", true},
		{"each8_x", "1", "01, 02", false},
		{"each4_x", "1", "01, 02, 03, 04", true}, {"each4_x", "x", "", false},
		{"bytes_x", "61 62 00 63", "ab", true}, {"bytes_x", "61 62", "ab", true}, {"bytes_x", "61", "ab", false},
		{"bytes_x", "61 62", "a", false}, {"bytes_x", "", "", true},
		{"words_x", "01, 00, 00, 00", "0x1", true}, {"bigwords_x", "00, 00, 00, 01", "0x1", true},
		{"bigwords_x", "01, 00, 00, 00", "0x1", false},
		{"sectors_x", "1024", "2", true}, {"sectors_x", "1024", "1024", false}, {"sectors_x", "a", "", false},
		{"turned_x", "1a37c10000000000", "0xc1371a", true}, {"turned_x", "637c10000000000", "0xc13706", true},
		{"turned_x", "637c10000000000", "0xc13760", false},
		{"neg_x", "0xfffffffffffffff0", "0x10", true},
	} {
		if got := newExplainer(nil, "N", "r").same(r, tt.name, tt.x, tt.y); got != tt.want {
			t.Errorf("%s: %q and %q agree: %t, want %t", tt.name, tt.x, tt.y, got, tt.want)
		}
	}
}

const owedTable = `
# Table
Reasons.
` + "```rule" + `
id: leaf
modes: N
ref: call (?P<give_t>\d+)us
ours: call
ref-line: x
our-line: x
` + "```\n```rule" + `
id: return
kind: add
modes: N
ours: return (?P<take_t>\d+)us
our-line: x
` + "```\n```rule" + `
id: number
modes: N
ref: n=(?P<shift_t>\d+)
ours: n=(?P<shift_t>\d+)
ref-line: x
our-line: x
` + "```\n"

// TestOwed: a line may take what an earlier line gave, only once.
func TestOwed(t *testing.T) {
	rules, err := parseRules("table", strings.NewReader(owedTable))
	if err != nil {
		t.Fatal(err)
	}
	e := newExplainer(rules, "N", "r")
	for i, tt := range []struct {
		ref, ours string
		want      bool
	}{
		{"", "return 5us", false},
		{"call 5us", "call", true},
		{"n=7", "n=8", true},
		{"n=7", "n=9", false},
		{"", "return 6us", false},
		{"", "return 5us", true},
		{"", "return 5us", false},
		{"call 5us x", "call y", false}, // this line gives nothing
		{"", "return 5us", false},
	} {
		var p pair
		for _, side := range []struct {
			b    **block
			text string
		}{{&p.ref, tt.ref}, {&p.ours, tt.ours}} {
			if side.text != "" {
				*side.b = &block{text: []byte(side.text + "\n")}
			}
		}
		if got := e.explain(p) != nil; got != tt.want {
			t.Errorf("pair %d: explained %t, want %t", i, got, tt.want)
		}
	}
}

// TestOther: a rule reads another text of the same record, or another output line by line.
func TestOther(t *testing.T) {
	const table = "# T\nWhy.\n```rule\nid: r\nmodes: report\nref: v=0\nours: v=(?P<v>\\d+)\nother: R v=(?P<v>\\d+)\nref-line: x\nour-line: x\nother-line: x\n```\n" +
		"```rule\nid: u\nkind: add\nmodes: u-replay\nours: (?P<line>.*)\nother: 0.19/replay.txt ^(?P<line>.*)\\n\nour-line: x\nother-line: x\n```\n" +
		"```rule\nid: p\nmodes: N\nref: (?P<num_p>\\d+)\nours: (?P<s>\\w+)\nother: printk (?P<num_p>0x\\d+) : \"(?P<s>.*)\"\nref-line: x\nour-line: x\nother-line: x\n```\n"
	rules, err := parseRules("table", strings.NewReader(table))
	if err != nil {
		t.Fatal(err)
	}
	line := func(time, text string) *block {
		return &block{text: fmt.Appendf(nil, "  x-1   [000]   %s: e: %s\n", time, text), event: "e"}
	}
	raw := records{}
	raw.add(line("1.0", "v=7"))
	raw.add(line("2.0", "v=8"))
	added := func(text ...string) (list []pair) {
		for _, s := range text {
			list = append(list, pair{ours: &block{text: []byte(s + "\n"), event: "replay.txt"}})
		}
		return list
	}
	for _, tt := range []struct {
		name  string
		mode  string
		other other
		pairs []pair
		want  string
	}{
		{"R", "report", raw, []pair{{line("1.0", "v=0"), line("1.0", "v=7")}, {line("1.0", "v=0"), line("1.0", "v=8")},
			{line("3.0", "v=0"), line("3.0", "v=7")}}, "[true false false]"},
		{"R", "report", nil, []pair{{line("1.0", "v=0"), line("1.0", "v=7")}}, "[false]"},
		{"0.19/replay.txt", "u-replay", outputLines{[]byte("a\n"), []byte("b\n"), []byte("a\n")},
			added("b", "b", "a", "a"), "[true false true false]"},
		{"printk", "N", newList("0x16 : \"one\"\n0x20 : \"two\"\n"), []pair{
			{&block{text: []byte("22")}, &block{text: []byte("one")}},
			{&block{text: []byte("22")}, &block{text: []byte("two")}},
			{&block{text: []byte("32")}, &block{text: []byte("two")}}}, "[true false true]"},
	} {
		e := newExplainer(rules, tt.mode, "r")
		e.others[tt.name] = tt.other
		var got []bool
		for _, p := range tt.pairs {
			got = append(got, e.explain(p) != nil)
		}
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s: explained %v, want %s", tt.name, got, tt.want)
		}
	}
}

// TestWrongTexts: wrong texts of ours that rules accepted when they had only an expression.
func TestWrongTexts(t *testing.T) {
	rules, err := readRules("../../../testdata/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	const record = "              sh-412   [001]    92.227383: "
	for _, tt := range []struct{ rule, event, ref, ours, other string }{
		{"empty-string", "openat", " name=/etc/passwd flags=0x2", " name= flags=0x2",
			`(40f840) name="/etc/passwd" flags=0x2`},
		{"string-pointer", "rcu_utilization", "1a37c10000000000", "complete nonsense",
			`0xc1371a : "Start scheduler-tick"`},
		{"timer-flags", "timer_start", "flags=D|P|I", "flags=I|I|I|D", " flags=374341633"},
		{"timer-flags", "timer_start", "flags=D|P|I", "flags=", " flags=374341633"},
		{"probe-array", "exec_in", "arr={0x0,0x0,0x0,0x0}", "arr={0xdead}",
			" arr=ARRAY[50, 68, 11, 5f, 5e, 8d, ff, ff, 01, 00, 00, 00, 00, 00, 00, 00]"},
		{"blktrace", "blktrace", "            896", "            9,9   A   A 1 + 2 [nonsense]",
			" sector=17922 bytes=245760 action=1703937 pid=896 device=266338352 cpu=1 error=0 pdu_len=0 data=0"},
		{"sockaddr", "tcp_probe", "src= dest= mark=0", "src=9.9.9.9:1 dest=127.0.0.1:2 mark=0",
			" sport=1 dport=2 family=2 "},
		{"tlb-reason", "tlb_flush", "pages=-1 reason= (4)", "pages=-1 reason=wrong (4)",
			"pages:-1 reason:remote IPI send (4)"},
		{"raw-data-beyond-record", "raw_data", " id=0008 buf=ZZZZxyABCDEF", " id=0008 buf=Z", "# 8 5a 5a 5a 5a"},
		{"stack-beyond-record", "kernel_stack", " size=1 caller=ARRAY[39, 4c, ab, 85, ff, ff, ff, ff, bc, 66]",
			" size=1 caller=ARRAY[39]", ""},
		{"raw-struct", "s390_cio_adapter_int", " tpi_info=0 isc=3", " tpi_info=ARRAY[00] isc=3", ""},
		{"alias-indent", "function", "            set_current_blocked", "                     set_current_blocked", ""},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			i := slices.IndexFunc(rules, func(r *rule) bool { return r.id == tt.rule })
			r := *rules[i]
			e := newExplainer([]*rule{&r}, r.modes[0], exampleRecording(&r))
			if r.other != "" {
				r.otherLine = record + tt.event + ": " + tt.other
				if recordedLists[r.other] != nil {
					r.otherLine = tt.other
				}
				e.others = exampleOthers(t, []*rule{&r})
			}
			line := func(text string) *block { return example(t, "report", record+tt.event+": "+text, true) }
			if e.explain(pair{line(tt.ref), line(tt.ours)}) != nil {
				t.Errorf("explains %q for %q", tt.ours, tt.ref)
			}
		})
	}
}
