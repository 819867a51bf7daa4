package exports

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/flame"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/export/profile"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/spool"
	"github.com/tracec/tracec/report"
)

const openHelp = `Show a recording in the viewer of Perfetto: convert it, serve it to this machine alone, and open ui.perfetto.dev in the browser, which fetches it
from here. The recording does not leave the machine; the page comes from the Internet. tracec view needs no Internet.

The command ends when the page has the trace, or with Ctrl-C.

--flame shows flame graphs in its place, without the Internet: of the calls of functions (uftrace, function_graph), system calls and stack samples, by the viewer
speedscope, which tracec holds. It ends with Ctrl-C.

FILE is a recording as for tracec report, and so are the options that choose events.`

// perfettoUI is the viewer, and the only origin that may fetch a trace. Its content security policy lets it fetch from 127.0.0.1:9001
// (ui/src/frontend/index.ts of Perfetto).
const (
	perfettoUI   = "https://ui.perfetto.dev"
	perfettoPort = 9001
)

func newOpen() *cobra.Command {
	var o report.Options
	var noBrowser, flames bool
	var value string
	cmd := &cobra.Command{
		Use:   "open FILE",
		Short: "Show a recording in the viewer of Perfetto",
		Long:  openHelp,
		Args:  command.One("recording", "tracec open FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return command.Work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
				if flames {
					return openFlame(ctx, cmd, job, &o, value, !noBrowser)
				}
				return openPerfetto(ctx, cmd, job, &o, !noBrowser)
			})
		},
	}
	cmd.Flags().BoolVar(&flames, "flame", false, "show flame graphs, without the Internet")
	cmd.Flags().StringVar(&value, "value", "", "of --flame: what is summed up, self (time), calls or an integer `FIELD` of events")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address of the page, and start no browser")
	command.OnlyWith(cmd.Flags(), "value", "flame")
	command.OutputFlags(cmd)
	command.ChooseFlags(cmd, &o)
	return cmd
}

// openPerfetto converts a recording to a file without a name, which is served until it has been fetched.
func openPerfetto(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, browse bool) error {
	f, err := spool.New("")
	if err != nil {
		return err
	}
	defer f.Close()
	damaged := convert(ctx, cmd, job, o, f, func(w io.Writer, r *dynamic.Reader) error { return perfetto.Write(w, r, perfetto.Options{}) })
	if damaged != nil && !errors.Is(damaged, report.ErrDamaged) {
		return damaged
	}
	fetched := make(chan struct{})
	name := url.PathEscape(strings.TrimLeft(filepath.Base(job.Path), "-")) + ".perfetto-trace"
	path := "/" + secret() + "/" + name
	err = serve(ctx, cmd, serving{
		port:    perfettoPort,
		handler: &perfettoFile{path: path, content: f, fetched: sync.OnceFunc(func() { close(fetched) })},
		page:    func(at string) string { return perfettoUI + "/#!/?url=" + at + path },
		done:    fetched,
	}, browse)
	if err != nil {
		return err
	}
	return damaged
}

// openFlame serves a profile and the viewer of it.
func openFlame(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, value string, browse bool) error {
	var text bytes.Buffer
	damaged := convert(ctx, cmd, job, o, &text, func(w io.Writer, r *dynamic.Reader) error {
		return profile.Write(w, r, profile.Options{Format: profile.Speedscope, Value: value, Warn: func(message string) { job.Warn(errors.New(message)) }})
	})
	if damaged != nil && !errors.Is(damaged, report.ErrDamaged) {
		return damaged
	}
	path := "/" + secret() + "/"
	mux := http.NewServeMux()
	mux.Handle(path, http.StripPrefix(strings.TrimSuffix(path, "/"), flame.Handler(text.Bytes(), filepath.Base(job.Path))))
	err := serve(ctx, cmd, serving{handler: mux, page: func(at string) string { return at + path }}, browse)
	if err != nil {
		return err
	}
	return damaged
}

// convert exports what options choose of a recording to w, with a progress bar.
func convert(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, w io.Writer, write func(io.Writer, *dynamic.Reader) error) (err error) {
	defer command.WatchSilent(cmd, job)()
	rec, r, err := job.Events(ctx, o, dynamic.WithThreads(), dynamic.WithStacks())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	return command.TellExport(ctx, job, rec, r, o, write(w, r))
}

// perfettoFile serves one file to Perfetto's page.
type perfettoFile struct {
	path    string
	content io.ReadSeeker
	fetched func()
}

// ServeHTTP implements http.Handler.
func (p *perfettoFile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.EscapedPath() != p.path {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", perfettoUI)
	h.Set("Cache-Control", "no-store")
	switch r.Method {
	case http.MethodOptions: // the browser asks whether a page of the Internet may fetch from this machine
		h.Set("Access-Control-Allow-Methods", "GET")
		h.Set("Access-Control-Allow-Private-Network", "true")
		w.WriteHeader(http.StatusNoContent)
	case http.MethodGet:
		h.Set("Content-Type", "application/octet-stream")
		whole := &countingWriter{ResponseWriter: w}
		http.ServeContent(whole, r, "", time.Time{}, p.content)
		if size, err := p.content.Seek(0, io.SeekEnd); err == nil && whole.n == size {
			p.fetched()
		}
	default:
		http.Error(w, "GET only", http.StatusMethodNotAllowed)
	}
}

// countingWriter counts what was sent.
type countingWriter struct {
	http.ResponseWriter
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.n += int64(n)
	return n, err
}
