package command

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/mutate"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// ftraceModels are recordings from which mutants of every container are made.
var ftraceModels []*mutate.Ftrace

// ftraceSamples reads the models. It returns them in every container, as samples for mutants.
func ftraceSamples(t *testing.T) (list []*mutate.Sample) {
	ftraceModels = nil
	for _, name := range []string{"amd64-markers", "amd64-instances", "i386-userstack", "s390x-markers",
		"amd64-triggers"} {
		rec, err := ftrace.Open("../../testdata/ftrace/" + name + ".dat")
		if err != nil {
			t.Fatal(err)
		}
		f, err := mutate.NewFtrace(name, rec)
		rec.Close()
		if err != nil {
			t.Fatal(err)
		}
		ftraceModels = append(ftraceModels, f)
		for _, c := range mutate.Containers {
			list = append(list, f.Sample(c))
		}
	}
	return list
}

// mutateFtrace damages a container, or its contents.
func mutateFtrace(k *kindRun, r *rand.Rand) *mutant {
	if r.IntN(2) == 0 {
		s := k.samples[r.IntN(len(k.samples))]
		return k.mutate(s, r)
	}
	f := ftraceModels[r.IntN(len(ftraceModels))]
	container := mutate.Containers[r.IntN(len(mutate.Containers))]
	m, page := f.Mutate(r, container)
	out := &mutant{Mutant: m, sample: f.Name + "/" + container, intact: f.Sample(container).Tree}
	if page != nil {
		out.check = func(k *kindRun, path string) error { return ftraceLoss(k, f, page, container, path) }
	}
	return out
}

// ftraceLoss compares a recording with one damaged page with the recording without that page. It
// compares the events of its processor before and after the page, and all events of other
// processors.
func ftraceLoss(k *kindRun, f *mutate.Ftrace, page *mutate.Page, container, path string) error {
	got, err := ftraceEvents(k, path)
	if err != nil {
		return err
	}
	want, err := k.expect(f, page, container)
	if err != nil {
		return err
	}
	before, after := want.before, want.after
	for at, want := range want.whole {
		have := got[at]
		if at.buffer != page.Buffer || at.cpu != page.CPU {
			if !equalEvents(have, want) {
				return fmt.Errorf("lost events of buffer %d, CPU %d, which is intact: %d of %d left", at.buffer, at.cpu,
					len(have), len(want))
			}
			continue
		}
		head, tail := before[at], after[at]
		switch {
		case len(have) < len(head)+len(tail):
			return fmt.Errorf("lost events of intact pages: %d left, %d before the damaged page and %d after it",
				len(have), len(head), len(tail))
		case !equalEvents(have[:len(head)], head):
			return fmt.Errorf("the %d events before the damaged page changed", len(head))
		case !equalEvents(have[len(have)-len(tail):], tail):
			return fmt.Errorf("the %d events after the damaged page changed", len(tail))
		}
	}
	return nil
}

// pageLoss is the required result for a damaged page: the events of intact recordings.
type pageLoss struct{ whole, before, after map[where][]string }

// pageLosses caches the computed results.
var pageLosses = map[string]pageLoss{}

func (k *kindRun) expect(f *mutate.Ftrace, page *mutate.Page, container string) (l pageLoss, err error) {
	key := fmt.Sprintf("%s %s %+v", f.Name, container, *page)
	if l, ok := pageLosses[key]; ok {
		return l, nil
	}
	if l.whole, err = k.events(f.Sample(container)); err != nil {
		return l, err
	}
	if l.before, err = k.events(f.Without(page, false, container)); err != nil {
		return l, err
	}
	if l.after, err = k.events(f.Without(page, true, container)); err != nil {
		return l, err
	}
	if len(pageLosses) < 500 { // each holds the events of a small recording
		pageLosses[key] = l
	}
	return l, nil
}

func equalEvents(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// where is a processor of a buffer, by indexes.
type where struct{ buffer, cpu int }

func (k *kindRun) events(s *mutate.Sample) (map[where][]string, error) {
	b := s.Tree[""]
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), s.Name)
	if err != nil {
		return nil, err
	}
	return walkEvents(rec), nil
}

func ftraceEvents(k *kindRun, path string) (map[where][]string, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return nil, fmt.Errorf("a damaged page must not keep the recording from being opened: %w", err)
	}
	return walkEvents(rec), nil
}

// walkEvents lists the events of each processor, without the numbers of events lost before them.
func walkEvents(rec *ftrace.Recording) map[where][]string {
	defer rec.Close()
	all := map[where][]string{}
	for i, b := range rec.Buffers() {
		for j, s := range b.Streams(ftrace.StreamOptions{}) {
			for {
				batch, err := s.Next()
				if err != nil {
					break
				}
				for _, r := range batch.Records {
					all[where{i, j}] = append(all[where{i, j}], fmt.Sprintf("%d %d %x", r.Time, r.ID, r.Data))
				}
			}
		}
	}
	return all
}

// mutateAIX damages a stream or log. For a stream it knows the intact part before the damage.
func mutateAIX(k *kindRun, r *rand.Rand) *mutant {
	s := k.samples[r.IntN(len(k.samples))]
	m := k.mutate(s, r)
	first := m.First[""]
	if strings.HasPrefix(s.Name, "stream") && first > 64 {
		m.check = func(k *kindRun, path string) error { return aixPrefix(k, s, path, first) }
	}
	return m
}

// aixPrefix compares the entries of a damaged stream with the intact ones, up to some entries
// before the damage. The last of these may be rejected together with the damage.
func aixPrefix(k *kindRun, s *mutate.Sample, path string, first int) error {
	want, err := aixEntries(s.Tree[""])
	if err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	got, err := aixEntries(b)
	if err != nil {
		return nil // the head is damaged, so that no entry is known
	}
	n := 0
	for n < len(want) && want[n].end <= int64(first) {
		n++
	}
	for i := range n - 4 {
		if i >= len(got) || got[i] != want[i] {
			return fmt.Errorf("entry %d of %d before the damage at %d is not as it was, %d are left", i, n, first,
				len(got))
		}
	}
	return nil
}

type aixEntry struct {
	end  int64
	id   uint32
	time uint64
	data string
}

func aixEntries(b []byte) (list []aixEntry, err error) {
	rec, err := aix.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "m.raw")
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	for _, s := range rec.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			if err != nil {
				break
			}
			for i, e := range batch.Entries {
				list = append(list, aixEntry{e.Offset + int64(len(e.Raw)), batch.Records[i].ID, batch.Records[i].Time,
					string(batch.Records[i].Data)})
			}
		}
	}
	return list, nil
}
