package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// run compares one recording in one mode. It streams both texts. temp is a folder for unpacked
// files.
func (j job) run(t *tool, rules []*rule, temp string) *tally {
	res := newTally(j)
	e := newExplainer(rules, j.mode.name, j.recording)
	e.read = func(name string) (other, error) { return j.readOther(name, rules, t, temp) }
	defer func() {
		res.settle(e)
		if e.err != nil {
			res.fail(e.err)
		}
	}()
	if j.installed != nil {
		if err := j.installed.run(t, res, rules); err != nil {
			res.fail(err)
		}
		return res
	}
	if j.uftrace != nil {
		if err := j.uftrace.run(t, res, e); err != nil {
			res.fail(err)
		}
		return res
	}
	if j.lttng != nil {
		if err := j.lttng.run(t, j.mode, res, e); err != nil {
			res.fail(err)
		}
		return res
	}
	w, err := findWitness(j, rules)
	if err != nil {
		res.fail(err)
		return res
	}
	e.witness = w
	err = j.passes(temp, func(p pass) error {
		return p.compare(t, func(pr pair) { res.add(pr, e) })
	})
	if err != nil {
		res.fail(err)
	}
	return res
}

// A pass is one reference text and the arguments of one run of tracec.
type pass struct {
	ref       func() (io.ReadCloser, error)
	args      []string
	refLayout layout
	ourLayout layout
	window    int // window of the aligner; 0 is the default
}

func (p pass) compare(t *tool, fn func(pair)) error {
	ref, err := p.ref()
	if err != nil {
		return err
	}
	defer ref.Close()
	ours, err := t.start(p.args...)
	if err != nil {
		return err
	}
	refErr, ourErr := align(newBlockReader(ref, p.refLayout), newBlockReader(ours, p.ourLayout), max(p.window, window),
		fn)
	return errors.Join(refErr, ourErr, ours.wait())
}

// passes calls fn for every text that the job compares.
func (j job) passes(temp string, fn func(pass) error) error {
	if j.mode.suffix == kernelTextSuffix {
		return j.kernelPasses(fn)
	}
	if !j.mode.snapshot() {
		p := pass{
			ref:  func() (io.ReadCloser, error) { return openZstd(j.reference) },
			args: with(j.mode.args, j.input),
		}
		p.refLayout, p.ourLayout = j.mode.layouts()
		return fn(p)
	}
	dir, err := os.MkdirTemp(temp, "snapshot")
	if err != nil {
		return fmt.Errorf("unpack %s: %w", j.input, err)
	}
	defer os.RemoveAll(dir)
	root, err := unpackSnapshot(j.input, dir)
	if err != nil {
		return err
	}
	p := pass{ref: openFile(filepath.Join(root, kernelText)), args: with(j.mode.args, root)}
	p.refLayout, p.ourLayout = j.mode.layouts()
	if j.mode.name != "graph" {
		return fn(p)
	}
	head, err := readKernelHead(p.ref)
	if err != nil {
		return err
	}
	cpus, err := graphCPUs(p.ref)
	if err != nil {
		return err
	}
	return p.graph(head, cpus, fn)
}

// with returns args and more. It does not change args.
func with(args []string, more ...string) []string {
	return append(args[:len(args):len(args)], more...)
}

// snapshot reports whether the mode reads an archived tracefs snapshot.
func (m mode) snapshot() bool { return m.suffix == snapshotSuffix }

// layouts returns the layouts of the reference's text and of ours.
func (m mode) layouts() (ref, ours layout) {
	if strings.HasPrefix(m.name, "u-") {
		return outputLayout{}, outputLayout{}
	}
	if strings.HasPrefix(m.name, "l-") {
		return eventLayout{}, eventLayout{}
	}
	switch m.name {
	case "graph":
		return new(kernelGraph), new(oursGraph)
	case "kernel":
		return new(kernelLayout), new(oursLayout)
	}
	return reportLayout{}, reportLayout{}
}
