package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// run compares one recording in one mode. Neither text is held in memory. temp is a folder for what
// must be unpacked.
func (j job) run(t *tool, rules []*rule, temp string) *tally {
	res := newTally(j)
	if err := j.compare(t, rules, temp, res); err != nil {
		res.fail(err)
	}
	return res
}

func (j job) compare(t *tool, rules []*rule, temp string, res *tally) error {
	input, refLayout, ourLayout := j.input, layout(reportLayout{}), layout(reportLayout{})
	var ref io.ReadCloser
	var err error
	if j.mode.snapshot() {
		dir, err := os.MkdirTemp(temp, "snapshot")
		if err != nil {
			return fmt.Errorf("unpack %s: %w", j.input, err)
		}
		defer os.RemoveAll(dir)
		if input, err = unpackSnapshot(j.input, dir); err != nil {
			return err
		}
		if ref, err = os.Open(filepath.Join(input, kernelText)); err != nil {
			return fmt.Errorf("open reference: %w", err)
		}
		refLayout, ourLayout = j.mode.layouts()
	} else if ref, err = openZstd(j.reference); err != nil {
		return err
	}
	defer ref.Close()
	ours, err := t.start(append(j.mode.args[:len(j.mode.args):len(j.mode.args)], input)...)
	if err != nil {
		return err
	}
	e := newExplainer(rules, j.mode.name, j.recording)
	refErr, ourErr := align(newBlockReader(ref, refLayout), newBlockReader(ours, ourLayout),
		func(p pair) { res.add(p, e) })
	return errors.Join(refErr, ourErr, ours.wait())
}

// snapshot says whether the mode reads an archived tracefs snapshot.
func (m mode) snapshot() bool { return m.suffix == snapshotSuffix }

// layouts are those of the kernel's text and of ours beside it.
func (m mode) layouts() (ref, ours layout) {
	if m.name == "graph" {
		return new(kernelGraph), new(oursGraph)
	}
	return new(kernelLayout), new(oursLayout)
}
