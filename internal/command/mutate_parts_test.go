package command

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/runtime/ftrace"
)

// Parts of inputs that a mutation of another part must not change. They are for kinds whose
// containers are not rewritten for each mutant.

// area is the data of a CPU in a trace.dat.
type area struct {
	at        where
	off, size int64
}

// realModel holds the known contents of a trace.dat.
type realModel struct {
	areas  []area
	events map[where][]string
}

func readReal(s *mutate.Sample) (*realModel, error) {
	b := s.Tree[""]
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), s.Name)
	if err != nil {
		return nil, err
	}
	m := &realModel{}
	for i, b := range rec.Buffers() {
		for j, c := range b.CPUs {
			if c.Size >= 64 {
				m.areas = append(m.areas, area{where{i, j}, c.Offset, c.Size})
			}
		}
	}
	m.events = walkEvents(rec)
	return m, nil
}

// mutateReal damages a trace.dat. Half of the mutants have changed, lost or added bytes in the data
// of one CPU only. Then all events of the other CPUs must remain.
func mutateReal(k *kindRun, r *rand.Rand) *mutant {
	s := k.samples[r.IntN(len(k.samples))]
	model, err := intact(s, func() (*realModel, error) { return readReal(s) })
	if err != nil {
		k.t.Fatal(err)
	}
	if len(model.areas) == 0 || r.IntN(2) == 0 {
		return k.mutate(s, r)
	}
	a := model.areas[r.IntN(len(model.areas))]
	b := s.Tree[""]
	out, off, what := mutate.Blind(r, b[a.off:a.off+a.size], b)
	if what == "cut" { // of the data, not of the file
		out, what = append(bytes.Clone(out), make([]byte, int(a.size)-len(out))...), "cleared from there on"
	}
	tree := mutate.Tree{"": slices.Concat(b[:a.off], out, b[a.off+a.size:])}
	m := &mutate.Mutant{Tree: tree, Steps: []string{fmt.Sprintf("data of %+v: %s at %d", a.at, what, off)}}
	return &mutant{Mutant: m, sample: s.Name, intact: s.Tree, check: func(k *kindRun, path string) error {
		got, err := ftraceEvents(k, path)
		if err != nil {
			return err
		}
		for at, want := range model.events {
			if at != a.at && !equalEvents(got[at], want) {
				return fmt.Errorf("lost events of buffer %d, CPU %d, which is intact: %d of %d left", at.buffer, at.cpu,
					len(got[at]), len(want))
			}
		}
		return nil
	}}
}

// mutateMember damages one thread's records before a recording is packed. The text of the other
// threads must not change.
func mutateMember(k *kindRun, s *mutate.Sample, r *rand.Rand, ending string) *mutant {
	var threads []string
	for name := range s.Tree {
		if tid := strings.TrimSuffix(name, ".dat"); tid != name && strings.Trim(tid, "0123456789") == "" &&
			len(s.Tree[name]) > 0 {
			threads = append(threads, name)
		}
	}
	if len(threads) < 2 {
		return nil
	}
	slices.Sort(threads)
	file := threads[r.IntN(len(threads))]
	out, off, what := mutate.Blind(r, s.Tree[file], s.Tree[threads[0]])
	tree := s.Tree.Clone()
	tree[file] = out
	packed, err := mutate.PackIntact(tree, ending)
	if err != nil {
		k.t.Fatal(err)
	}
	whole, err := mutate.PackIntact(s.Tree, ending)
	if err != nil {
		k.t.Fatal(err)
	}
	m := &mutate.Mutant{Tree: mutate.Tree{"": packed}, Steps: []string{fmt.Sprintf("%s: %s at %d", file, what, off)}}
	return &mutant{Mutant: m, sample: s.Name + ending, intact: mutate.Tree{"": whole},
		check: func(k *kindRun, path string) error {
			return otherThreads(k, s, file, path)
		}}
}

// stanza is a template in a file: its lines, and the output of `tracec list` for it.
type stanza struct {
	from, to int
	hook     string
	listed   string
}

var hookID = regexp.MustCompile(`^[0-9A-Fa-f]{3,4}\s`)

// stanzas finds the templates in a file, beginning at the line with the hook.
func stanzas(k *kindRun, s *mutate.Sample) ([]stanza, error) {
	res, err := k.command(s.Name, "list FILE", k.write(k.dir+"/intact", s.Tree), s.Tree.Size())
	if err != nil {
		return nil, err
	}
	listed := map[string]string{}
	for line := range strings.Lines(res.stdout.String()) {
		hook, _, _ := strings.Cut(line, " ")
		listed[strings.ToLower(hook)] = line
	}
	var list []stanza
	off, continued := 0, false
	for line := range bytes.Lines(s.Tree[""]) {
		if hookID.Match(line) && !continued {
			hook := strings.Fields(string(line))[0]
			list = append(list, stanza{from: off, hook: hook, listed: listed[strings.ToLower(hook)]})
		}
		off += len(line)
		text := bytes.TrimRight(line, " \t\r\n")
		continued = bytes.HasSuffix(text, []byte(`\`))
		if n := len(list); n > 0 && (continued || len(text) > 0 && list[n-1].to == 0) {
			if list[n-1].to == 0 && !continued {
				list[n-1].to = off
			}
		}
	}
	return slices.DeleteFunc(list, func(x stanza) bool { return x.to == 0 || x.listed == "" }), nil
}

// mutateTemplates damages a file of templates. Half of the mutants have changes in one template
// only. Then every other template must still be listed, or be named in a message.
func mutateTemplates(k *kindRun, r *rand.Rand) *mutant {
	s := k.samples[r.IntN(len(k.samples))]
	all, err := intact(s, func() ([]stanza, error) { return stanzas(k, s) })
	if err != nil {
		k.t.Fatal(err)
	}
	if len(all) < 2 || r.IntN(2) == 0 {
		return k.mutate(s, r)
	}
	x := all[r.IntN(len(all))]
	b := s.Tree[""]
	out, off, what := mutate.Text(r, b[x.from:x.to])
	m := &mutate.Mutant{Steps: []string{fmt.Sprintf("hook %s: %s at %d", x.hook, what, off)}}
	tail := bytes.TrimRight(out, " \t\r\n")
	// Otherwise the text after it would become part of it.
	safe := len(out) > 0 && out[len(out)-1] == '\n' && !bytes.HasSuffix(tail, []byte(`\`))
	m.Tree = mutate.Tree{"": slices.Concat(b[:x.from], out, b[x.to:])}
	result := &mutant{Mutant: m, sample: s.Name, intact: s.Tree}
	if safe {
		result.check = func(k *kindRun, path string) error { return otherTemplates(k, all, x, m.Tree, out, path) }
	}
	return result
}

func otherTemplates(k *kindRun, all []stanza, damaged stanza, tree mutate.Tree, text []byte, path string) error {
	res, err := k.command("list", "list FILE", path, tree.Size())
	if err != nil {
		return err
	}
	messages := strings.ToLower(res.stderr.String())
	for _, x := range all {
		hook := strings.ToLower(x.hook)
		// it may have become a template of that hook
		if x.hook == damaged.hook || bytes.Contains(bytes.ToLower(text), []byte(hook)) {
			continue
		}
		if !strings.Contains(res.stdout.String(), x.listed) && !strings.Contains(messages, "hook "+hook) {
			return fmt.Errorf("hook %s, which is intact, is neither listed nor named: %q", x.hook, x.listed)
		}
	}
	return nil
}
