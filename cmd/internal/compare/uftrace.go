package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// uftraceJob holds the saved texts of one recording of uftrace from one version of the tool, for
// one mode.
type uftraceJob struct {
	version  string // such as 0.13
	archive  string // path of data.tar.gz
	outputs  []output
	texts    map[string][]byte // by file
	failures map[string]string // how uftrace failed, by file
}

// findUftrace lists all possible comparisons below root, which has a folder for each recording.
func findUftrace(root, match string) ([]job, error) {
	dirs, err := filepath.Glob(filepath.Join(root, "*", "expected.tar.gz"))
	if err != nil {
		return nil, err
	}
	sort.Strings(dirs)
	var jobs []job
	for _, expected := range dirs {
		name := filepath.Base(filepath.Dir(expected))
		if match != "" && !selected(match, "uftrace-0.13/"+name) && !selected(match, "uftrace-0.19/"+name) {
			continue
		}
		texts, err := readArchive(expected)
		if err != nil {
			return nil, err
		}
		failures, err := readFailures(filepath.Join(filepath.Dir(expected), "reference-failures.txt"))
		if err != nil {
			return nil, err
		}
		for _, version := range []string{"0.13", "0.19"} {
			recording := "uftrace-" + version + "/" + name
			listed, err := commandsOf(texts[version+"/commands"])
			if err != nil {
				return nil, fmt.Errorf("%s: %s/commands: %w", expected, version, err)
			}
			for _, m := range uftraceModes {
				u := &uftraceJob{version: version, archive: filepath.Join(filepath.Dir(expected), "data.tar.gz"),
					texts: texts, failures: failures}
				for _, o := range slices.Concat(outputs, listed) {
					_, saved := texts[version+"/"+o.file]
					if o.mode == m.name && (saved || failures[version+"/"+o.file] != "") {
						u.outputs = append(u.outputs, o)
					}
				}
				if len(u.outputs) > 0 && selected(match, recording) {
					jobs = append(jobs, job{recording: recording, mode: m, uftrace: u})
				}
			}
		}
	}
	return jobs, nil
}

// readArchive reads a .tar.gz of texts.
func readArchive(path string) (map[string][]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	texts := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return texts, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if texts[strings.TrimPrefix(filepath.ToSlash(filepath.Clean(h.Name)), "./")], err = io.ReadAll(r); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, h.Name, err)
		}
	}
}

// readFailures reads lines such as "dump.txt (0.13): exit status 134". The file is missing if
// nothing failed.
func readFailures(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	failures := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		file, rest, ok := strings.Cut(line, " (")
		version, how, closed := strings.Cut(rest, "): ")
		if line == "" {
			continue
		}
		if !ok || !closed {
			return nil, fmt.Errorf("%s: %q is not FILE (VERSION): HOW", path, line)
		}
		failures[version+"/"+file] = strings.TrimSpace(how)
	}
	return failures, err
}

// run compares all outputs.
func (u *uftraceJob) run(t *tool, res *tally, e *explainer) error {
	var errs []error
	for _, o := range u.outputs {
		errs = append(errs, u.compare(t, o, res, e))
	}
	return errors.Join(errs...)
}

func (u *uftraceJob) compare(t *tool, o output, res *tally, e *explainer) error {
	key := u.version + "/" + o.file
	how, failed := u.failures[key]
	p := pass{
		ref:    func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(u.texts[key])), nil },
		args:   o.command(u.version, u.archive),
		window: shortWindow,
	}
	l := outputLayout{[]byte(o.file)}
	p.refLayout, p.ourLayout = l, l
	if !failed {
		return p.compare(t, func(pr pair) { res.addApart(pr, e) })
	}
	return p.compare(t, func(pr pair) { res.addFailed(pr, e, o.file, how) })
}

// addApart counts one step of a comparison. If every line is a block, two lines may be a pair by
// chance. Without a common reason, each may have its own.
func (t *tally) addApart(p pair, e *explainer) {
	if p.ref != nil && p.ours != nil && !bytes.Equal(p.ref.text, p.ours.text) && e.try(p) == nil {
		ref, ours := pair{ref: p.ref}, pair{ours: p.ours}
		if e.try(ref) != nil && e.try(ours) != nil {
			t.add(ref, e)
			p = ours
		}
	}
	t.add(p, e)
}

// addFailed counts one step of a comparison with a text that ends where uftrace died. The text up
// to there must be equal to ours, and a rule must explain why uftrace died. The last line may be
// truncated.
func (t *tally) addFailed(p pair, e *explainer, file, how string) {
	equal := p.ref != nil && p.ours != nil && bytes.Equal(p.ref.text, p.ours.text)
	switch {
	case equal && t.died == file: // printed before it died
		t.unexplained++
		t.note(p, 1)
		return
	case equal || p.ours == nil:
		t.add(p, e)
		return
	case p.ref != nil && !bytes.HasPrefix(p.ours.text, bytes.TrimSuffix(p.ref.text, []byte("\n"))):
		t.add(pair{ref: p.ref}, e) // each must have its own reason
	}
	if used := e.afterDeath(p.ours, file, how); used != nil {
		over := t.spend(used)
		if over == nil {
			t.listed++
			t.died = file
			return
		}
		t.overspend(over)
	}
	t.unexplained++
	t.note(p, 1)
}

// afterDeath returns the rule for one of our lines after uftrace died, if a rule explains why it
// died.
func (e *explainer) afterDeath(b *block, file, how string) []*rule {
	e.pair = pair{ours: b}
	e.forget()
	for _, r := range e.rulesFor(file) {
		if r.kind == kindDied && r.ref.MatchString(how) && (r.ours == nil || e.wholly(r, r.ours, b.text)) {
			e.keep()
			return []*rule{r}
		}
	}
	return nil
}
