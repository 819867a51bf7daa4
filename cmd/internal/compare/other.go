package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace"
)

// An other is a text of the reference's beside the one that is compared, which says of a record what that does not. Rules name it:
//
//	other: R flags=(?P<bits_f>\d+)
//	other: 0.19/replay.txt (?P<text>\w+\(\) \{)
//
// The expression must match, and its captures agree with those of the rule's ours, in what the reference of mode report, N or R has of the same
// record, or in the named output of uftrace of the same recording (of the same version when there is none in the name). There the lines of one output of ours must be found one after another.
// "data" are the files of a recording of uftrace: one must have the bytes that ours names, "bytes", at "offset". "printk" and "stats" are texts in the recording: some place of them must match, and agree with the captures of the rule's ref too.
type other struct {
	records map[string][][]byte // by task, CPU, time and event
	lines   [][]byte            // of an output of uftrace

	list  []byte
	known map[string]bool // whether list confirms a pair of fragments

	files [][]byte // of the recording
}

// maxOther bounds what is kept of one text, in bytes.
const maxOther = 256 << 20

// findOthers reads what the rules for a recording look into. A text that is not there confirms nothing.
func (e *explainer) findOthers(j job, t *tool, temp string) error {
	wanted := map[string][]*rule{}
	for _, r := range e.rules {
		if r.other != "" && (contains(r.modes, e.mode) || contains(r.modes, base(e.mode))) && matches(r.recordings, e.recording) {
			wanted[r.other] = append(wanted[r.other], r)
		}
	}
	e.others = map[string]*other{}
	for name, rules := range wanted {
		if name == "data" && j.uftrace != nil {
			files, err := readArchive(j.uftrace.archive)
			if err != nil {
				return err
			}
			e.others[name] = &other{files: slices.Collect(maps.Values(files))}
			continue
		}
		if j.uftrace != nil {
			file := name
			if !strings.Contains(file, "/") {
				file = j.uftrace.version + "/" + file
			}
			e.others[name] = &other{lines: bytes.SplitAfter(j.uftrace.texts[file], []byte("\n"))}
			continue
		}
		if list := recordedLists[name]; list != nil {
			text, err := j.recordedList(temp, list)
			if err != nil {
				return err
			}
			e.others[name] = newList(text)
			continue
		}
		o, err := otherRecords(j, name, t, rules)
		if err != nil {
			return err
		}
		e.others[name] = o
	}
	return nil
}

// recordedLists are the texts within a recording that rules look into.
var recordedLists = map[string]func(path string) (string, error){"printk": readPrintk, "stats": readStats}

// readPrintk reads the addresses and texts of strings: 0xffffffff8695af40 : "mt_find".
func readPrintk(path string) (string, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return "", err
	}
	defer rec.Close()
	return strings.Clone(rec.PrintkFormats()), nil
}

// readStats reads the statistics of each CPU's buffer. The snapshots have those of before and after they were read.
func readStats(path string) (string, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return "", err
	}
	defer rec.Close()
	list := slices.Clone(rec.Info().CPUStats)
	files, err := filepath.Glob(filepath.Join(path, "per_cpu", "cpu*", "stats.before"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		cpu := strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "cpu")
		list = append(list, "CPU: "+cpu+"\n"+string(text))
	}
	return strings.Join(list, "\n"), err
}

// recordedList reads such a text of the job's recording. temp is a folder for what must be unpacked.
func (j job) recordedList(temp string, list func(path string) (string, error)) (text string, err error) {
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
	return list(path)
}

func newList(text string) *other { return &other{list: []byte(text), known: map[string]bool{}} }

// oursRaw names our own report -R, which is compared with the reference's in its turn.
const oursRaw = "ours-R"

// otherRecords reads what the named text says of the records that the rules are for.
func otherRecords(j job, name string, t *tool, rules []*rule) (*other, error) {
	if name == oursRaw {
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

// readRecords reads the blocks of a text that one of the rules is for.
func readRecords(r io.Reader, rules []*rule) (*other, error) {
	o := &other{records: map[string][][]byte{}}
	blocks, b := newBlockReader(r, reportLayout{}), new(block)
	for size := 0; ; {
		if err := blocks.next(b); errors.Is(err, io.EOF) {
			return o, nil
		} else if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(rules, func(r *rule) bool { return matches(r.events, b.event) }) {
			if size += len(b.text); size > maxOther {
				return nil, errors.New("the text that rules look into is too long")
			}
			o.add(b)
		}
	}
}

func (o *other) add(b *block) {
	key := recordKey(b)
	o.records[key] = append(o.records[key], bytes.Clone(b.text))
}

// recordKey names a record as all texts of trace-cmd's do, whatever their columns.
func recordKey(b *block) string {
	line, _, _ := bytes.Cut(b.text, []byte("\n"))
	f, ok := cutEvent(line)
	if !ok {
		return string(line)
	}
	return string(slices.Concat(bytes.TrimSpace(line[:f.task]), line[f.open:f.end+1], line[f.time:f.rest])) + b.event
}

// agreesWithOther reports whether the text that the rule looks into confirms ours. Rules without one need none. ref is empty where
// the reference has no such line.
func (e *explainer) agreesWithOther(r *rule, ref, ours match) bool {
	if r.other == "" {
		return true
	}
	o := e.others[r.other]
	b := e.pair.ours
	if b == nil {
		b = e.pair.ref
	}
	switch {
	case o == nil:
		return false
	case o.files != nil:
		return o.has(ours)
	case o.known != nil:
		return e.listed(r, o, ref, ours)
	case o.records == nil:
		return e.nextLine(r, o, b.event, ours)
	}
	for _, text := range o.records[recordKey(b)] {
		if e.agreesWith(r, text, match{}, ours) {
			return true
		}
	}
	return false
}

// agreesWith reports whether the rule's other expression matches a text with captures that agree with ours, and with those of ref if
// there is one.
func (e *explainer) agreesWith(r *rule, text []byte, ref, ours match) bool {
	for _, m := range r.otherExpr.FindAllSubmatchIndex(text, -1) {
		found, mark := match{r.otherExpr, text, m}, e.mark()
		if e.agree(r, found, ours) && (ref.re == nil || e.agree(r, ref, found)) {
			return true
		}
		e.undo(mark)
	}
	return false
}

// listed is agreesWith for a list that is long and asked for the same again and again.
func (e *explainer) listed(r *rule, o *other, ref, ours match) bool {
	key := r.id + "\x00" + ref.String() + "\x00" + ours.String()
	known, ok := o.known[key]
	if !ok {
		known = e.agreesWith(r, o.list, ref, ours)
		o.known[key] = known
	}
	return known
}

// has reports whether a file has the bytes of a line of a hex dump at its offset.
func (o *other) has(line match) bool {
	offset, okOffset := line.capture(line.re.SubexpIndex("offset"))
	list, okBytes := line.capture(line.re.SubexpIndex("bytes"))
	at, err := strconv.ParseUint(offset, 16, 31)
	want, errBytes := hex.DecodeString(strings.ReplaceAll(list, " ", ""))
	if !okOffset || !okBytes || errors.Join(err, errBytes) != nil || len(want) == 0 {
		return false
	}
	return slices.ContainsFunc(o.files, func(file []byte) bool {
		return int(at) <= len(file) && bytes.HasPrefix(file[at:], want)
	})
}

// A place is how far one output of ours has got in a text, apart for the lines that one side does not have.
type place struct{ other, output, kind string }

// reached is the line of a place that a rule found last. Another rule may find it again: one line can confirm two of ours.
type reached struct {
	line int
	rule string
}

// nextLine finds the next line of o that confirms a line of an output.
func (e *explainer) nextLine(r *rule, o *other, output string, ours match) bool {
	at := place{r.other, output, r.kind}
	last, known := e.places[at]
	for _, l := range e.pending {
		if l.place == at {
			last, known = l.reached, true
		}
	}
	from := last.line
	if known && last.rule == r.id {
		from++
	}
	for i := from; i < len(o.lines); i++ {
		if e.agreesWith(r, o.lines[i], match{}, ours) {
			e.pending = append(e.pending, lesson{place: at, reached: reached{i, r.id}})
			return true
		}
	}
	return false
}
