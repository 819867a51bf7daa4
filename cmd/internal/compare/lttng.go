package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/therootcompany/xz"
)

// lttngModes are the saved texts of LTTng traces: only the events, sorted, and LTTV's output.
// l-upstream is from a reader of January 2010 with the older formula of time
// (shared/data/lttng/README.md).
var lttngModes = []mode{
	{name: "l-events", suffix: ".events.txt", args: []string{"textdump", "--plain"}},
	{name: "l-textdump", suffix: ".textdump.txt", args: []string{"textdump"}},
	{name: "l-upstream", suffix: ".upstream-2010-01.txt",
		args: []string{"textdump", "--time", "old", "--name", "traceset/trace_15316events_nolost_newformat"}},
}

// lttngJob is one saved text of a trace.
type lttngJob struct {
	name  string // name of the trace, for its path in the text
	trace string // path of the archive
	text  func() ([]byte, error)
	// sorted reports whether the text is sorted by time, then by bytes. Otherwise only the order of
	// equal times depends on the directory.
	sorted bool
}

// findLTTng lists all possible comparisons below root. Texts of made traces are in their archives.
// Recorded traces are in real, and their texts in oracle.
func findLTTng(root, match string) ([]job, error) {
	var archives []string
	for _, glob := range []string{"realwriter/*.tar.xz", "synthetic/*.tar.xz", "real/*.tar.gz"} {
		list, err := filepath.Glob(filepath.Join(root, glob))
		if err != nil {
			return nil, err
		}
		archives = append(archives, list...)
	}
	var jobs []job
	for _, archive := range archives {
		name, _, _ := strings.Cut(filepath.Base(archive), ".tar.")
		recording := "lttng/" + name
		if !selected(match, recording) {
			continue
		}
		texts, err := lttngTexts(root, name, archive)
		if err != nil {
			return nil, err
		}
		for _, m := range lttngModes {
			if text := texts[name+m.suffix]; text != nil {
				l := &lttngJob{name: name, trace: archive, text: text, sorted: m.name == "l-events"}
				jobs = append(jobs, job{recording: recording, mode: m, lttng: l})
			}
		}
	}
	return jobs, nil
}

// lttngTexts returns the saved texts of a trace, by name.
func lttngTexts(root, name, archive string) (map[string]func() ([]byte, error), error) {
	texts := map[string]func() ([]byte, error){}
	if filepath.Base(filepath.Dir(archive)) == "real" {
		list, err := filepath.Glob(filepath.Join(root, "oracle", name+".*.txt.xz"))
		for _, file := range list {
			texts[strings.TrimSuffix(filepath.Base(file), ".xz")] = func() ([]byte, error) { return readXz(file) }
		}
		return texts, err
	}
	all, err := readXz(archive)
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(bytes.NewReader(all)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return texts, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", archive, err)
		}
		if !strings.HasSuffix(h.Name, ".txt") {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", archive, h.Name, err)
		}
		texts[path.Base(h.Name)] = func() ([]byte, error) { return text, nil }
	}
}

func readXz(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := xz.NewReader(f, xz.DefaultDictMax)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return text, nil
}

// run compares the text with ours. Both are in memory: at most 130 MB each.
func (l *lttngJob) run(t *tool, m mode, res *tally, e *explainer) error {
	want, err := l.text()
	if err != nil {
		return err
	}
	args := m.args
	if m.name == "l-textdump" { // the path was shortened
		args = with(args, "--name", l.name)
	}
	ours, err := t.start(with(args, l.trace)...)
	if err != nil {
		return err
	}
	got, err := io.ReadAll(ours)
	if err = errors.Join(err, ours.wait()); err != nil {
		return err
	}
	a, b := newBlockReader(order(want, false), eventLayout{}), newBlockReader(order(got, l.sorted), eventLayout{})
	refErr, ourErr := align(a, b, window, func(p pair) { res.add(p, e) })
	return errors.Join(refErr, ourErr)
}

// dumped is one event of a text, including its newlines. Lines without an event have no time.
type dumped struct{ time, text []byte }

// events divides a text into events. Lines without an event belong to the previous event, since
// strings contain newlines.
func events(text []byte) (list []dumped) {
	for line := range bytes.Lines(text) {
		m := eventLine.FindSubmatch(line)
		n := len(list)
		switch {
		case m != nil:
			list = append(list, dumped{m[2], line})
		case n == 0 || list[n-1].time == nil || bytes.HasPrefix(line, []byte("End trace set")):
			list = append(list, dumped{text: line})
		default:
			list[n-1].text = append(list[n-1].text, line...)
		}
	}
	return list
}

// order sorts events with the same time by their bytes. If all is set, it sorts events of different
// times as well.
func order(text []byte, all bool) io.Reader {
	list := events(text)
	byTime := func(a, b dumped) int { // the number of digits of seconds may differ
		return cmp.Or(cmp.Compare(len(a.time), len(b.time)), bytes.Compare(a.time, b.time))
	}
	if all {
		slices.SortStableFunc(list, byTime)
	}
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[from].time != nil && byTime(list[from], list[to]) == 0 {
			to++
		}
		slices.SortFunc(list[from:to], func(a, b dumped) int { return bytes.Compare(a.text, b.text) })
		from = to
	}
	var out bytes.Buffer
	out.Grow(len(text))
	for _, x := range list {
		out.Write(x.text)
	}
	return &out
}

// eventLine matches `channel.marker: seconds.nanoseconds (file)`.
var eventLine = regexp.MustCompile(`^([^ :]+): (\d+\.\d{9}) \(`)

// eventLayout is the layout of LTTV's text. The key is name and time.
type eventLayout struct{}

func (eventLayout) split(line []byte) ([]byte, header, bool) {
	m := eventLine.FindSubmatchIndex(line)
	if m == nil {
		return line, header{starts: true, key: len(line)}, true
	}
	return line, header{starts: true, key: m[5], event: line[:m[3]]}, true
}
