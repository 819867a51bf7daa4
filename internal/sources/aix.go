package sources

import (
	"context"
	"slices"

	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// AIX is the source of traces of AIX.
func AIX() *Source {
	return &Source{
		Name: "aix", Title: "AIX", Detect: detectAIX, Guess: true, Sure: sureAIX, Follows: true, FromFirst: true,
		Holds: isA[*aix.Recording], Span: spanAIX, Times: timesAIX, Open: openAIX, Choose: chooseAIX,
		NoIndex: "entries depend on earlier entries",
	}
}

// detectAIX recognizes log files and 64-bit streams by their magic numbers. It recognizes streams
// of 32-bit systems, which have no magic number, by consecutive entries. Other systems must be
// tried first.
func detectAIX(p *input.Probe) bool { return p.Dir == nil && aix.Detect(p.Head) != aix.KindUnknown }

// sureAIX recognizes recordings with a magic number.
func sureAIX(p *input.Probe) bool { return p.Dir == nil && aix.HasMagic(p.Head) }

// OpenAIX opens an input of a job.
func OpenAIX(ctx context.Context, job *Job, path string, opts ...aix.Option) (*aix.Recording, error) {
	in, err := job.Open(ctx, path, AIX())
	switch {
	case err != nil:
		return nil, err
	case job.Follow != nil:
		opts = append(opts, aix.WithFollow(*job.Follow))
	}
	switch {
	case in.Stream != nil:
		return aix.OpenReader(in.Stream, in.Name, opts...)
	case in.File == nil:
		return nil, selection.Usagef("%s: directories of component traces cannot be read", path)
	case in.File.Dir != nil:
		return aix.OpenFS(in.File.Dir, in.File.Base, in.Name, opts...)
	}
	return aix.OpenReaderAt(in.File, in.File.Size, in.Name, opts...)
}

// systemHooks is the minimum number of templates in a file for a whole system, such as /etc/trcfmt.
// A file for one program has fewer.
const systemHooks = 100

// AIXOptions returns the options for reading recordings with rules and templates, which may be nil.
func AIXOptions(rules *trcfiles.Rules, templates *trcfmt.Result, memory int64) []aix.Option {
	opts := append(slices.Clone(rules.Read), aix.WithMemory(memory))
	if templates == nil {
		return opts
	}
	var ids []uint16
	for _, t := range templates.Templates {
		ids = append(ids, t.Hook)
	}
	if len(ids) >= systemHooks {
		opts = append(opts, aix.WithHooks(ids))
	}
	return opts
}

// AIXFiles returns the rules and layouts of the opening options. The error is a
// *selection.UsageError for an invalid rule, or an error about a file.
func (o *Options) AIXFiles() (rules trcfiles.Rules, layouts []aix.Layout, err error) {
	if err = rules.SetAll(o.Rules); err == nil && o.Layouts != "" {
		layouts, err = trcfiles.ReadLayouts(o.Layouts)
	}
	return rules, layouts, err
}

// openAIX opens the input of a job, without its templates.
func openAIX(ctx context.Context, job *Job) (record.Recording, error) {
	rules, _, err := job.Opening.AIXFiles()
	if err != nil {
		return nil, err
	}
	return opened(OpenAIX(ctx, job, job.Path, AIXOptions(&rules, nil, job.Memory)...))
}

// chooseAIX opens a recording for callers that read its events themselves.
func chooseAIX(ctx context.Context, job *Job, o *selection.Options) (*Choice, error) {
	rules, layouts, err := job.Opening.AIXFiles()
	if err != nil {
		return nil, err
	}
	templates, mistakes, unusable, err := trcfiles.Load(job.Opening.Templates, rules.Compile)
	if err != nil {
		return nil, err
	}
	for _, e := range append(mistakes, unusable...) {
		job.Incomplete = true
		job.Warn(e)
	}
	rec, err := OpenAIX(ctx, job, job.Path, AIXOptions(&rules, templates, job.Memory)...)
	if err != nil {
		return nil, err
	}
	c := trcfiles.Catalog(job.Path, templates.Templates)
	c.CPUs, c.NamesLater = AIXCPUs(rec), len(layouts) > 0
	origin, ok := rec.Begin(ordinary)
	if !ok && (o.Since != "" || o.Until != "") && job.Follow != nil {
		return nil, selection.Usagef("%s: %s has no event yet; times count from the first one", o.Chosen(), job.Path)
	}
	times := selection.Times{Origin: origin}
	return &Choice{Recording: rec, Catalog: c, Times: times, Templates: templates, Layouts: layouts}, nil
}

// timesAIX makes times relative to the first event.
func timesAIX(rec record.Recording) selection.Times {
	origin, _ := rec.(*aix.Recording).Begin(ordinary)
	return selection.Times{Origin: origin}
}

// AIXCPUs returns the processors with files of their own.
func AIXCPUs(rec *aix.Recording) (cpus []int) {
	for _, f := range rec.Info().Files {
		if f.CPU >= 0 {
			cpus = append(cpus, f.CPU)
		}
	}
	return cpus
}

// spanAIX returns the times of the first and the last event. It must read everything to find the
// last one.
func spanAIX(ctx context.Context, rec record.Recording) (*selection.Span, error) {
	r := rec.(*aix.Recording)
	origin, ok := r.Begin(ordinary)
	if !ok {
		return &selection.Span{Empty: true}, nil
	}
	_, last, ok, err := Ends(ctx, r.Merge, ordinary, true)
	return &selection.Span{Last: last - min(origin, last), Empty: !ok}, err
}

// ordinary reports whether times may start at a record.
func ordinary(r *record.Record, e *aix.Entry) bool { return !trcfiles.DescribesSystem(uint16(r.ID), e) }
