package main

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace"
)

// readOther reads an additional text for rules, or returns nil if it is missing:
//
//	report, N, R      the reference's text in that mode
//	ours-R            our own report -R, which is also compared with the reference's
//	printk, stats     the strings of the recording, and the statistics of each CPU's buffer
//	0.19/replay.txt   an output of uftrace; replay.txt is from the compared version
//	data              the files of a recording of uftrace
//
// temp is a folder for unpacked files.
func (j job) readOther(name string, rules []*rule, t *tool, temp string) (other, error) {
	switch {
	case j.uftrace != nil && name == "data":
		data, err := readArchive(j.uftrace.archive)
		return files(slices.Collect(maps.Values(data))), err
	case j.uftrace != nil:
		if !strings.Contains(name, "/") {
			name = j.uftrace.version + "/" + name
		}
		return outputLines(bytes.SplitAfter(j.uftrace.texts[name], []byte("\n"))), nil
	case recordedLists[name] != nil:
		text, err := j.recordedList(temp, recordedLists[name])
		return newList(text), err
	}
	rules = slices.DeleteFunc(slices.Clone(rules), func(r *rule) bool { return r.other != name })
	if name == "ours-R" {
		r, err := t.start("trace-cmd", "report", "--like", "3.1", "-R", j.input)
		if err != nil {
			return nil, err
		}
		o, err := readRecords(r, rules)
		return o, errors.Join(err, r.wait())
	}
	i := slices.IndexFunc(reportModes, func(m mode) bool { return m.name == name })
	if i < 0 {
		return nil, nil
	}
	path := strings.TrimSuffix(j.input, ".dat") + reportModes[i].suffix
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	r, err := openZstd(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return readRecords(r, rules)
}

// maxOther is the maximum size of one text in memory, in bytes.
const maxOther = 256 << 20

// readRecords reads the blocks of a text to which one of the rules applies.
func readRecords(r io.Reader, rules []*rule) (other, error) {
	t := records{}
	blocks, b := newBlockReader(r, reportLayout{}), new(block)
	for size := 0; ; {
		if err := blocks.next(b); errors.Is(err, io.EOF) {
			return t, nil
		} else if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(rules, func(r *rule) bool { return matches(r.events, b.event) }) {
			if size += len(b.text); size > maxOther {
				return nil, errors.New("the text that rules look into is too long")
			}
			t.add(b)
		}
	}
}

// recordedLists are the texts in a recording, by their names in rules.
var recordedLists = map[string]func(path string) (string, error){"printk": readPrintk, "stats": readStats}

// recordedList reads such a text of the job's recording.
func (j job) recordedList(temp string, read func(path string) (string, error)) (text string, err error) {
	path := j.input
	if j.mode.snapshot() {
		dir, err := os.MkdirTemp(temp, "lists")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		if path, err = unpackSnapshot(path, dir); err != nil {
			return "", err
		}
	}
	return read(path)
}

// readPrintk reads the addresses and texts of strings: 0xffffffff8695af40 : "mt_find".
func readPrintk(path string) (string, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return "", err
	}
	defer rec.Close()
	return strings.Clone(rec.PrintkFormats()), nil
}

// readStats reads the statistics of each CPU's buffer. Snapshots have statistics from before and
// after reading the buffer.
func readStats(path string) (string, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return "", err
	}
	defer rec.Close()
	texts := slices.Clone(rec.Info().CPUStats)
	names, err := filepath.Glob(filepath.Join(path, "per_cpu", "cpu*", "stats.before"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		cpu := strings.TrimPrefix(filepath.Base(filepath.Dir(name)), "cpu")
		texts = append(texts, "CPU: "+cpu+"\n"+string(text))
	}
	return strings.Join(texts, "\n"), err
}
