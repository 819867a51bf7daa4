package command

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/rivo/uniseg"

	"github.com/tracec/tracec/internal/sources"
)

// meter is a progress bar. It counts from the beginning of the work, but is shown only later.
type meter struct {
	line  *line
	name  string
	stage sources.Stage
	max   int64 // negative while the total is unknown: a spinner

	title   string // name of the file and of the stage
	width   int    // width of the bar, in columns
	turns   int    // position of the spinner
	samples []sample
}

// sample is the progress at a time.
type sample struct {
	at   time.Time
	done int64
}

func newMeter(l *line, name string) *meter {
	m := &meter{line: l, name: strings.Map(printable, name)}
	m.begin(sources.Opening, 0)
	return m
}

func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// Widths of the parts of a line without the name: its text, and the bar itself.
const (
	textColumns = 44 // such as ` 100% || (999/999 MB, 999 MB/s) [9m59s:9m59s]`
	mostColumns = 40
	fewColumns  = 10
)

// rateOver is the number of ticks, after the first, over which a rate is averaged.
const rateOver = 50

// begin starts counting a stage, or another input of a stage. Rates are not carried over.
func (m *meter) begin(s sources.Stage, total int64) {
	suffix := ""
	if s == sources.Opening {
		suffix = ": opening"
	}
	room := m.line.width() - textColumns - len(suffix)
	m.width = max(min(mostColumns, room-uniseg.StringWidth(m.name)), fewColumns)
	if m.stage, m.max = s, -1; total > 0 {
		m.max = total
	}
	m.title = shorten(m.name, room-m.width) + suffix
	m.samples = append(m.samples[:0], sample{at: time.Now()})
}

// shorten removes the beginning of a name to fit it into a number of columns, since the end
// identifies it better. It always keeps a few columns.
func shorten(name string, columns int) string {
	columns = max(columns, 8)
	if uniseg.StringWidth(name) <= columns {
		return name
	}
	for uniseg.StringWidth(name) > columns-1 {
		cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(name, -1)
		name = name[len(cluster):]
	}
	return "…" + name
}

// update draws done of total bytes. A total of 0 means unknown. It ignores failures to draw.
func (m *meter) update(s sources.Stage, done, total int64) {
	switch {
	case s != m.stage, s == sources.Opening && total != max(m.max, 0):
		m.begin(s, total)
	case total > 0:
		m.max = total
	}
	if m.max > 0 {
		done = max(0, min(done, m.max-1)) // 100% is reached only at the end
	}
	if len(m.samples) > rateOver {
		m.samples = slices.Delete(m.samples, 1, 2) // keep the first sample
	}
	m.samples = append(m.samples, sample{time.Now(), done})
	m.line.draw(m.text(done))
}

// text returns the text of a line: name 25% |██████ | (26/105 MB, 10 MB/s) [2s:7s].
func (m *meter) text(done int64) string {
	now, begun := m.samples[len(m.samples)-1].at, m.samples[0].at
	since := m.samples[0]
	if len(m.samples) > rateOver {
		since = m.samples[1]
	}
	rate := 0.0
	if over := now.Sub(since.at).Seconds(); over > 0 {
		rate = float64(done-since.done) / over
	}
	elapsed, speed := now.Sub(begun).Truncate(time.Second), ""
	if rate > 0 {
		speed = ", " + quantity(rate) + "/s"
	}
	if m.max <= 0 {
		m.turns++
		return fmt.Sprintf("%c %s (%s%s) [%v]", `|/-\`[m.turns%4], m.title, quantity(float64(done)), speed, elapsed)
	}
	full := int(done * int64(m.width) / m.max)
	left := "?"
	if rate > 0 {
		left = time.Duration(math.Min(float64(m.max-done)/rate,
			1e6) * float64(time.Second)).Truncate(time.Second).String()
	}
	of, total := quantity(float64(done)), quantity(float64(m.max))
	if number, unit, _ := strings.Cut(of, " "); strings.HasSuffix(total, " "+unit) {
		of = number
	}
	return fmt.Sprintf("%s %3d%% |%s%s| (%s/%s%s) [%v:%s]",
		m.title, done*100/m.max, strings.Repeat("█", full), strings.Repeat(" ", m.width-full), of, total, speed,
		elapsed, left)
}

// quantity formats a number of bytes with a decimal unit.
func quantity(n float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	i := 0
	for ; n >= 999.5 && i < len(units)-1; i++ {
		n /= 1000
	}
	if n < 9.95 && i > 0 {
		return fmt.Sprintf("%.1f %s", n, units[i])
	}
	return fmt.Sprintf("%.0f %s", n, units[i])
}
