package docs

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Pictures are SVG: the same input gives the same bytes, so that a stale picture is found. The
// kinds:
//
//	bars     CSV with a header, a label and a number in each line
//	flame    folded stacks, the widest first
//	lanes    CSV with a header: lane, start, duration, name
var kinds = map[string]func([]byte) (string, error){"bars": bars, "flame": flame, "lanes": lanes}

// picture makes one, and compares it with the one of the page.
func (p *page) picture(t *testing.T, b *block, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, b.options["from"]))
	if err != nil {
		t.Errorf("%s:%d: %v", p.name, b.line+1, err)
		return
	}
	draw := kinds[b.options["kind"]]
	if draw == nil {
		t.Fatalf("%s:%d: no kind %q", p.name, b.line+1, b.options["kind"])
	}
	svg, err := draw(data)
	if err != nil {
		t.Errorf("%s:%d: %v", p.name, b.line+1, err)
		return
	}
	name := filepath.Join(filepath.Dir(p.name), filepath.FromSlash(b.options["to"]))
	if update {
		write(t, name, []byte(svg))
		return
	}
	if was, err := os.ReadFile(name); err != nil || string(was) != svg {
		t.Errorf("%s is stale: make docs", name)
	}
}

const width = 860

// svg is a picture in the making.
type svg struct {
	bytes.Buffer
	height int
}

func (s *svg) text(x, y int, anchor, class, text string) {
	fmt.Fprintf(s, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" class=\"%s\">%s</text>\n", x, y, anchor, class,
		html.EscapeString(text))
}

// box draws a rectangle with a text that the pointer shows, and inside what fits of it.
func (s *svg) box(x, y, w, h float64, name, tip string) {
	fmt.Fprintf(s, "<g><title>%s</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1\" fill=\"%s\"/>", html.EscapeString(tip), x, y, max(w, 0.4), h, colour(name))
	if fits := int(w/6.2) - 1; fits >= 3 {
		r := []rune(name)
		if len(r) > fits {
			r = append(r[:fits-1], '…')
		}
		fmt.Fprintf(s, "<text x=\"%.1f\" y=\"%.1f\" class=\"in\">%s</text>", x+3, y+h-5, html.EscapeString(string(r)))
	}
	s.WriteString("</g>\n")
}

func (s *svg) String() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="ui-monospace,monospace" font-size="11">
<style>text{fill:#1b1f24}.dim{fill:#59636e}.in{fill:#1b1f24;font-size:10px}rect.bar{fill:#4f86c6}</style>
<rect width="100%%" height="100%%" fill="#ffffff"/>
%s</svg>
`, width, s.height, width, s.height, s.Buffer.String())
}

// colour is that of a name, always the same.
func colour(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("hsl(%d,62%%,74%%)", h.Sum32()%360)
}

func rows(data []byte, columns int) ([][]string, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = columns
	all, err := r.ReadAll()
	if err == nil && len(all) < 2 {
		err = fmt.Errorf("no rows")
	}
	return all, err
}

func bars(data []byte) (string, error) {
	all, err := rows(data, 2)
	if err != nil {
		return "", err
	}
	most, margin := 0.0, 0
	values := make([]float64, len(all))
	for i, r := range all[1:] {
		if values[i+1], err = strconv.ParseFloat(r[1], 64); err != nil {
			return "", err
		}
		most, margin = max(most, values[i+1]), max(margin, len([]rune(r[0])))
	}
	s := &svg{height: 34 + 20*(len(all)-1)}
	left := 16 + margin*7
	s.text(left-8, 18, "end", "dim", all[0][0])
	s.text(left, 18, "start", "dim", all[0][1])
	for i, r := range all[1:] {
		y := 28 + 20*i
		w := values[i+1] / max(most, 1e-9) * float64(width-left-90)
		s.text(left-8, y+12, "end", "", r[0])
		fmt.Fprintf(s, "<rect class=\"bar\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\"/>\n", left, y, w)
		s.text(left+int(w)+6, y+12, "start", "dim", r[1])
	}
	return s.String(), nil
}

// frame is a function under its callers.
type frame struct {
	name  string
	value float64 // of it and what it calls
	below []*frame
}

func (f *frame) child(name string) *frame {
	if i := slices.IndexFunc(f.below, func(c *frame) bool { return c.name == name }); i >= 0 {
		return f.below[i]
	}
	c := &frame{name: name}
	f.below = append(f.below, c)
	return c
}

func flame(data []byte) (string, error) {
	root := &frame{name: "all"}
	depth := 0
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		at := strings.LastIndexByte(sc.Text(), ' ')
		if at < 0 {
			return "", fmt.Errorf("%q is no folded stack", sc.Text())
		}
		v, err := strconv.ParseFloat(sc.Text()[at+1:], 64)
		if err != nil {
			return "", err
		}
		f := root
		f.value += v
		stack := strings.Split(sc.Text()[:at], ";")
		for _, name := range stack {
			f = f.child(name)
			f.value += v
		}
		depth = max(depth, len(stack))
	}
	s := &svg{height: 20 + 17*(depth+1)}
	s.frame(root, 8, width-16, s.height-26, root.value)
	return s.String(), nil
}

// frame draws a function and what it calls above it; what is less than half a point wide is left
// out.
func (s *svg) frame(f *frame, x, w float64, y int, all float64) {
	s.box(x, float64(y), w-0.5, 16, f.name, fmt.Sprintf("%s: %.1f us, %.1f %%", f.name, f.value/1000, 100*f.value/all))
	slices.SortStableFunc(f.below, func(a, b *frame) int { return strings.Compare(a.name, b.name) })
	for _, c := range f.below {
		if part := w * c.value / f.value; part >= 0.5 {
			s.frame(c, x, part, y-17, all)
			x += part
		}
	}
}

func lanes(data []byte) (string, error) {
	all, err := rows(data, 4)
	if err != nil {
		return "", err
	}
	var names []string
	first, last := 1e300, -1e300
	type slice struct {
		lane       int
		start, dur float64
		name       string
	}
	var slicesOf []slice
	for _, r := range all[1:] {
		start, err1 := strconv.ParseFloat(r[1], 64)
		dur, err2 := strconv.ParseFloat(r[2], 64)
		if err1 != nil || err2 != nil {
			return "", fmt.Errorf("%q: no numbers", r)
		}
		if !slices.Contains(names, r[0]) {
			names = append(names, r[0])
		}
		slicesOf = append(slicesOf, slice{slices.Index(names, r[0]), start, dur, r[3]})
		first, last = min(first, start), max(last, start+dur)
	}
	margin := 0
	for _, n := range names {
		margin = max(margin, len([]rune(n)))
	}
	left := float64(16 + margin*7)
	scale := (width - 12 - left) / max(last-first, 1)
	s := &svg{height: 34 + 22*len(names)}
	s.text(int(left), 16, "start", "dim", fmt.Sprintf("%.3f ms", (last-first)/1e6))
	for i, n := range names {
		s.text(int(left)-8, 38+22*i, "end", "", n)
	}
	for _, sl := range slicesOf {
		s.box(left+(sl.start-first)*scale, float64(24+22*sl.lane), sl.dur*scale, 18, sl.name,
			fmt.Sprintf("%s: %.1f us", sl.name, sl.dur/1000))
	}
	return s.String(), nil
}
