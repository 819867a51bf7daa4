package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A witness is the kernel's own text of a recording that is compared with trace-cmd's. If the two
// differ and our text equals the kernel's, ours is right. No rule is as strict.
type witness struct {
	blocks map[string][]*block // by "comm-pid [cpu] time: "
	texts  []*block            // printed without columns: function_graph comments, bare messages
	layout layout              // layout of our text in the kernel's columns
	rules  *explainer          // for information in the kernel's text that a recording lacks
}

// witnessRule represents the use of a witness in the summary.
var witnessRule = &rule{id: "kernel-text"}

// maxWitness bounds the size of the texts in memory, in bytes.
const maxWitness = 64 << 20

// findWitness reads the kernel's text next to a recording. It returns nil if there is none, or if
// it has other columns.
func findWitness(j job, rules []*rule) (*witness, error) {
	if name := base(j.mode.name); name != "report" && name != "N" {
		return nil, nil
	}
	path := strings.TrimSuffix(j.input, ".dat") + kernelTextSuffix
	if other := sameProgram[j.recording]; other != "" {
		path = filepath.Join(filepath.Dir(path), other+kernelTextSuffix)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, nil
	}
	open := func() (io.ReadCloser, error) { return openZstd(path) }
	head, err := readKernelHead(open)
	if err != nil {
		return nil, err
	}
	ref, ours := head.layouts()
	if head.first == "" || !inColumns(ref) {
		return nil, nil
	}
	r, err := open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	w := &witness{blocks: map[string][]*block{}, layout: new(oursLayout),
		rules: newExplainer(rules, "kernel", j.recording)}
	if head.tracer == "function_graph" || sameProgram[j.recording] != "" {
		return w, w.readTexts(r, graphComment)
	}
	if head.messages {
		return w, w.readMessages(open)
	}
	if _, usual := ref.(*kernelLayout); usual {
		ref = &kernelLayout{withoutFlags: true}
	} else {
		w.layout = ours
	}
	return w, w.read(newBlockReader(r, ref))
}

// sameProgram lists recordings without the kernel's text, with another recording of the same
// program in the same module, which prints the same.
var sameProgram = map[string]string{"bookworm-6.1-amd64/trace-printk": "trace-printk-graph"}

func (w *witness) readMessages(open func() (io.ReadCloser, error)) error {
	r, err := open()
	if err != nil {
		return err
	}
	defer r.Close()
	if err := w.readTexts(r, func(line string) (string, bool) {
		_, columns := cutEvent([]byte(line))
		return line, !columns && line != "" && line[0] != '#'
	}); err != nil {
		return err
	}
	again, err := open()
	if err != nil {
		return err
	}
	defer again.Close()
	return w.read(newBlockReader(again, &kernelLayout{withoutFlags: true}))
}

// graphComment returns the text of an event between the calls of function_graph.
func graphComment(line string) (string, bool) {
	_, text, found := strings.Cut(line, "|  ")
	text, comment := strings.CutPrefix(strings.TrimSpace(text), "/* ")
	text, closed := strings.CutSuffix(text, " */")
	return text, found && comment && closed
}

// readTexts keeps the texts that take returns for lines.
func (w *witness) readTexts(r io.Reader, take func(line string) (string, bool)) error {
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, maxBlock)
	for size := 0; scan.Scan() && size < maxWitness; {
		if text, ok := take(scan.Text()); ok {
			size += len(text)
			w.texts = append(w.texts, &block{text: []byte(text + "\n"), event: string(kernelName([]byte(text)))})
		}
	}
	return scan.Err()
}

// inColumns reports whether a layout has a task, a processor and a time, which identify the record.
func inColumns(l layout) bool {
	switch l.(type) {
	case *kernelLayout, *kernelBlkClassic:
		return true
	}
	return false
}

func (w *witness) read(r *blockReader) error {
	for size := 0; size < maxWitness; {
		b := new(block)
		if err := r.next(b); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		size += len(b.text)
		w.blocks[string(b.key)] = append(w.blocks[string(b.key)], b)
	}
	return nil
}

// confirms reports whether the kernel printed the same as we did.
func (w *witness) confirms(p pair) bool {
	if w == nil || p.ours == nil || p.ref == nil {
		return false
	}
	first, rest, _ := strings.Cut(string(p.ours.text), "\n")
	line, head, keep := w.layout.split([]byte(first))
	if !keep || !head.starts {
		return false
	}
	ours := &block{text: append(append([]byte{}, line...), "\n"+rest...), event: string(head.event)}
	ours.key = ours.text[:head.key]
	for _, b := range w.blocks[string(ours.key)] {
		if string(b.text) == string(ours.text) || w.rules.explain(pair{b, ours}) != nil {
			return true
		}
	}
	return w.confirmsText(ours)
}

// confirmsText reports whether the kernel printed the text of a block anywhere.
func (w *witness) confirmsText(ours *block) bool {
	text := ours.text[len(ours.key):]
	if printed[ours.event] {
		text = message(text)
	}
	for _, b := range w.texts {
		if string(b.text) == string(text) || w.rules.explain(pair{b, &block{text: text, event: ours.event}}) != nil {
			return true
		}
	}
	return false
}
