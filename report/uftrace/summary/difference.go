package summary

import (
	"bytes"
	"strconv"

	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/internal/line"
)

// maxPercent bounds the printed percentages, as in uftrace.
const maxPercent = 999.99

// The bounds above which differences have a colour: the first for small ones, the second for large
// ones. They are times in nanoseconds, percentages, and counts, all of whose differences are large
// (observed on 0.13 and 0.19).
var (
	timeSteps    = [2]float64{5_000, 100_000}
	percentSteps = [2]float64{3, 30}
	countSteps   = [2]float64{0, 0}
)

// The widths of a number inside the colour.
const (
	pointsWidth  = 10
	percentWidth = 7
	countWidth   = 9
)

// appendPainted appends a text in the colour for the number v, right-aligned to width. With a
// palette, the end of a colour is printed even without a colour.
func appendPainted(dst []byte, text string, width int, v float64, steps [2]float64, p *color.Palette) []byte {
	if p == nil {
		return appendRightText(dst, text, width)
	}
	codes := p.Growth
	if v < 0 {
		codes, v = p.Loss, -v
	}
	code := ""
	switch {
	case v > steps[1]:
		code = codes[0]
	case v > steps[0]:
		code = codes[1]
	}
	return append(appendRightText(append(dst, code...), text, width), p.Reset...)
}

func appendRightText(dst []byte, text string, width int) []byte {
	start := len(dst)
	return alignRight(append(dst, text...), start, width)
}

func appendBlanks(dst []byte, n int) []byte { return appendRightText(dst, "", n) }

func signed(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	if v >= 0 {
		text = "+" + text
	}
	return text
}

// appendPoints appends the difference of two percentages.
func appendPoints(dst []byte, c *column, x *pair, p policy, colors *color.Palette) []byte {
	if p.full {
		dst = append(c.text(dst, x.base, nil), ' ')
		dst = append(c.text(dst, x.diff, nil), ' ')
	} else {
		dst = appendBlanks(dst, diffWidth-pointsWidth)
	}
	v := points(c, x)
	return appendPainted(dst, signed(v)+"%pt", pointsWidth, v, percentSteps, colors)
}

func appendSideTime(dst []byte, ns uint64, colors *color.Palette) []byte {
	if ns == 0 {
		return append(dst, "         -"...)
	}
	return colors.AppendDuration(dst, ns)
}

func appendDifference(dst []byte, c *column, x *pair, p policy, colors *color.Palette) []byte {
	switch {
	case !c.time:
		width := diffWidth
		if p.full {
			width = line.Width
		}
		return appendCount(appendBlanks(dst, width-countWidth), growth(c, x), colors)
	case !p.percent:
		return appendTime(dst, growth(c, x), colors)
	}
	if !p.full {
		dst = appendBlanks(dst, diffWidth-percentWidth-1)
	}
	if base, diff := c.value(x.base), c.value(x.diff); base == 0 || diff == 0 {
		v := float64(maxPercent)
		if base != 0 {
			v = -v
		}
		return append(appendPainted(dst, "N/A", percentWidth, v, percentSteps, colors), ' ')
	}
	v := percentage(c, x)
	shown := min(max(v, -maxPercent), maxPercent)
	return append(appendPainted(dst, signed(shown), percentWidth, v, percentSteps, colors), '%')
}

// appendCount appends a difference of counts. A difference of 0 has no colour, and no end of one.
func appendCount(dst []byte, v int64, colors *color.Palette) []byte {
	if v == 0 {
		colors = nil
	}
	text := strconv.FormatInt(v, 10)
	if v >= 0 {
		text = "+" + text
	}
	return appendPainted(dst, text, countWidth, float64(v), countSteps, colors)
}

// appendTime appends a difference of times in nanoseconds in diffWidth columns. Without colours
// uftrace prints the opposite sign: base minus other.
func appendTime(dst []byte, ns int64, colors *color.Palette) []byte {
	if ns == 0 {
		return appendRightText(dst, "0 us", diffWidth)
	}
	sign, amount := "-", uint64(ns)
	if ns < 0 {
		amount = -amount
	}
	if (ns > 0) == (colors != nil) {
		sign = "+"
	}
	var buf, colored [32]byte
	text := sign + string(bytes.TrimLeft(line.AppendDuration(buf[:0], amount), " "))
	number := text[:len(text)-len(" ms")]
	dst = appendBlanks(dst, diffWidth-len(text))
	dst = appendPainted(dst, number, 0, float64(ns), timeSteps, colors)
	return append(dst, colors.AppendDuration(colored[:0], amount)[line.Width-len(" ms"):]...)
}
