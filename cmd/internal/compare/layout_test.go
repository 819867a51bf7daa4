package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReportLayout(t *testing.T) {
	for _, tt := range []struct {
		line, key, event string
		starts           bool
	}{
		{"cpus=2", "cpus=2", "", true},
		{"CPU:1 [4930 EVENTS DROPPED]", "CPU:1 [4930 EVENTS DROPPED]", "", true},
		{"          <idle>-0     [001]    82.731903: sched_switch:         swapper/1:0 [120] R",
			"          <idle>-0     [001]    82.731903: sched_switch:", "sched_switch", true},
		{"sysbuf:               sh-253   [000]    19.276761: sys_exit_write:       0x1",
			"sysbuf:               sh-253   [000]    19.276761: sys_exit_write:", "sys_exit_write", true},
		{"       trace-cmd-621   [000]123626379059: softirq_raise:        vec=1",
			"       trace-cmd-621   [000]123626379059: softirq_raise:", "softirq_raise", true},
		{"=> schedule_idle (ffffffff86247da6)", "", "", false},
		{"lines", "", "", false},
		{"", "", "", false},
		{"[000]", "", "", false},
		{"[000] 1.1:", "", "", false},
	} {
		_, head, keep := reportLayout{}.split([]byte(tt.line))
		if !keep || head.starts != tt.starts || tt.line[:head.key] != tt.key || string(head.event) != tt.event {
			t.Errorf("%q: %+v (%s), keep %t", tt.line, head, head.event, keep)
		}
	}
}

func TestKernelLayouts(t *testing.T) {
	for _, tt := range []struct{ name, kernel, ours, mode string }{
		{"columns", "              sh-149     (    149) [000] d.h1.    70.504650: softirq_raise: vec=1 [action=TIMER]",
			"              sh-149   [000] d.h1.    70.504650: softirq_raise:        vec=1 [action=TIMER]", "kernel"},
		{"no tgid", "          <idle>-0       [001] d.h2.     8.621415: sched_stat_runtime: comm=sh",
			"          <idle>-0     [001] d.h2.     8.621415: sched_stat_runtime:   comm=sh", "kernel"},
		{"long name", "              sh-1       [001] .....     8.000000: mmap_lock_acquire_returned: mm=0",
			"              sh-1     [001] .....     8.000000: mmap_lock_acquire_returned: mm=0", "kernel"},
		{"leading space of the text", "              sh-1       [001] .....     8.000000: x:  a",
			"              sh-1     [001] .....     8.000000: x:                     a", "kernel"},
		{"leaf", " 0)   0.891 us    |    schedule();",
			"              sh-301   [000]    53.182575: funcgraph_entry:        0.891 us   |    schedule();", "graph"},
		{"mark", " 11) + 13.640 us   |  schedule();",
			"              sh-301   [011]    53.182548: funcgraph_entry:      + 13.640 us  |  schedule();", "graph"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, _ := modeByName(tt.mode)
			a, b := m.layouts()
			x, hx, _ := a.split([]byte(tt.kernel))
			y, hy, _ := b.split([]byte(tt.ours))
			if !bytes.Equal(x, y) || hx.key != hy.key || !hx.starts || !hy.starts {
				t.Errorf("kernel %q %d\n  ours %q %d", x, hx.key, y, hy.key)
			}
		})
	}
	for _, line := range []string{"# tracer: nop", "", " ------------------------------------------",
		" 1)     sh-149     =>    <idle>-0   "} {
		if _, _, keep := new(kernelGraph).split([]byte(line)); keep {
			t.Errorf("kept %q", line)
		}
	}
}

// TestBlockReaderBounds: endless lines and texts without events are read with bounded memory.
func TestBlockReaderBounds(t *testing.T) {
	for _, tt := range []struct {
		name string
		text io.Reader
	}{
		{"one line", io.LimitReader(repeated{'x'}, 20<<20)},
		{"empty lines", io.LimitReader(repeated{'\n'}, 20<<20)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newBlockReader(tt.text, reportLayout{})
			var b block
			for {
				err := r.next(&b)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				if len(b.text) > 3*maxBlock {
					t.Fatalf("block of %d bytes", len(b.text))
				}
			}
		})
	}
}

// repeated is an endless run of one byte.
type repeated struct{ c byte }

func (z repeated) Read(p []byte) (int, error) {
	copy(p, strings.Repeat(string(z.c), len(p)))
	return len(p), nil
}
