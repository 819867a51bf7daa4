package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// drawn is what a bar shows after work at a steady rate, with a clock of the test's own.
func drawn(t *testing.T, total, perSecond int64, took time.Duration) (last string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		m := newMeter(&out, "t.dat")
		const step = 100 * time.Millisecond
		for at := step; at <= took; at += step {
			time.Sleep(step)
			m.update(perSecond*int64(at)/int64(time.Second), total)
			if at < patience && out.Len() > 0 {
				t.Errorf("shown after %v: %q", at, out.String())
			}
		}
		lines := strings.Split(out.String(), "\r")
		last = lines[len(lines)-1]
		m.end()
	})
	return last
}

func TestProgress(t *testing.T) {
	for _, x := range []struct {
		total, rate int64
		took        time.Duration
		want        string
	}{
		{100 << 20, 10 << 20, 2500 * time.Millisecond, `^t\.dat +25% .*\(26/105 MB, 1[01] MB/s\) \[2s:7s\]`},
		{0, 10 << 20, 2500 * time.Millisecond, `t\.dat \(26 MB, 1[01] MB/s\)`},
		{100 << 20, 10 << 20, 500 * time.Millisecond, `^$`},
	} {
		if got := drawn(t, x.total, x.rate, x.took); !regexp.MustCompile(x.want).MatchString(got) {
			t.Errorf("%+v: %q", x, got)
		}
	}
}
