package exports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/flame"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/export/profile"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/loopback"
	"github.com/tracec/tracec/internal/spool"
	"github.com/tracec/tracec/report"
)

// perfettoUI is the viewer, and the only origin that may fetch a trace. Its content security policy
// allows it to fetch from 127.0.0.1:9001 (ui/src/frontend/index.ts of Perfetto).
const (
	perfettoUI   = "https://ui.perfetto.dev"
	perfettoPort = 9001
)

func newOpen() *cobra.Command {
	var o report.Options
	var noBrowser, flames bool
	var value string
	cmd := &cobra.Command{
		Use:  "open",
		Args: command.One("recording", "tracec open FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return command.Work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
				if flames {
					return openFlame(ctx, cmd, job, &o, value, !noBrowser)
				}
				return openPerfetto(ctx, cmd, job, &o, !noBrowser)
			})
		},
	}
	cmd.Flags().BoolVar(&flames, "flame", false, "show flame graphs by speedscope, offline")
	cmd.Flags().StringVar(&value, "value", "", command.ValueUsage)
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, browserUsage)
	command.OnlyWith(cmd.Flags(), "value", "flame")
	command.OutputFlags(cmd)
	command.ChooseFlags(cmd, &o)
	return cmd
}

// openPerfetto converts a recording to an unnamed file, and serves it until it has been fetched.
func openPerfetto(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, browse bool) error {
	l, err := loopback.Listen(perfettoPort) // before the conversion, since the port may be in use
	if err != nil {
		return fmt.Errorf("port %d, the only port that Perfetto's page fetches from: %w; tracec export --to perfetto writes a file for the page", perfettoPort, err)
	}
	defer l.Close() // closed again after serving
	f, err := spool.New("")
	if err != nil {
		return err
	}
	defer f.Close()
	damaged := convert(ctx, cmd, job, o, f, func(w io.Writer,
		r *tracec.Reader) error {
		return perfetto.Write(w, r, perfetto.Options{})
	})
	if damaged != nil && !errors.Is(damaged, report.ErrDamaged) {
		return damaged
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	name := url.PathEscape(strings.TrimLeft(filepath.Base(job.Path), "-")) + ".perfetto-trace"
	path := "/" + secret() + "/" + name
	served := newPerfettoFile(path, f, size)
	defer showPage(cmd, perfettoUI+"/#!/?url=http://"+l.Addr().String()+path, browse)()
	if err := loopback.Serve(ctx, l, served, served.done); err != nil {
		return err
	}
	return damaged
}

// openFlame serves a profile and its viewer.
func openFlame(
	ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, value string, browse bool,
) error {
	var text bytes.Buffer
	damaged := convert(ctx, cmd, job, o, &text, func(w io.Writer, r *tracec.Reader) error {
		return profile.Write(w, r, profile.Options{Format: profile.Speedscope, Value: value,
			Warn: func(message string) { job.Warn(errors.New(message)) }})
	})
	if damaged != nil && !errors.Is(damaged, report.ErrDamaged) {
		return damaged
	}
	path := "/" + secret() + "/"
	mux := http.NewServeMux()
	mux.Handle(path, http.StripPrefix(strings.TrimSuffix(path, "/"),
		flame.Handler(text.Bytes(), filepath.Base(job.Path))))
	l, err := loopback.Listen(0)
	if err != nil {
		return err
	}
	defer showPage(cmd, "http://"+l.Addr().String()+path, browse)()
	if err := loopback.Serve(ctx, l, mux, nil); err != nil {
		return err
	}
	return damaged
}

// convert exports the selected records of a recording to w, with a progress bar.
func convert(
	ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, w io.Writer,
	write func(io.Writer, *tracec.Reader) error,
) (err error) {
	defer command.WatchSilent(cmd, job)()
	rec, r, err := job.Events(ctx, o, tracec.WithThreads(), tracec.WithStacks())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	return command.TellExport(ctx, job, rec, r, o, write(w, r))
}

// perfettoFile serves one file to Perfetto's page, any number of times at once.
type perfettoFile struct {
	path    string
	content io.ReaderAt
	size    int64
	done    chan struct{} // closed once the file was sent completely and no request followed

	mu      sync.Mutex
	active  int  // number of requests being answered
	fetched bool // the file was sent completely
	rest    *time.Timer
}

// linger is the time that a sent file remains available for further requests, such as a reload of
// the page.
const linger = time.Second

func newPerfettoFile(path string, content io.ReaderAt, size int64) *perfettoFile {
	return &perfettoFile{path: path, content: content, size: size, done: make(chan struct{})}
}

// begin is called before the file is sent, and end with the number of sent bytes after it.
func (p *perfettoFile) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active++; p.rest != nil {
		p.rest.Stop()
		p.rest = nil
	}
}

func (p *perfettoFile) end(sent int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active--
	p.fetched = p.fetched || sent == p.size
	if p.active == 0 && p.fetched {
		p.rest = time.AfterFunc(linger, p.close)
	}
}

// close closes done, unless another request has begun.
func (p *perfettoFile) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.done:
	default:
		if p.active == 0 {
			close(p.done)
		}
	}
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
	case http.MethodOptions: // the browser checks whether a page of the Internet may fetch from this machine
		h.Set("Access-Control-Allow-Methods", "GET")
		h.Set("Access-Control-Allow-Private-Network", "true")
		w.WriteHeader(http.StatusNoContent)
	case http.MethodGet:
		h.Set("Content-Type", "application/octet-stream")
		p.begin()
		whole := &countingWriter{ResponseWriter: w}
		defer func() { p.end(whole.n) }()
		http.ServeContent(whole, r, "", time.Time{}, io.NewSectionReader(p.content, 0, p.size))
	default:
		http.Error(w, "GET only", http.StatusMethodNotAllowed)
	}
}

// countingWriter counts sent bytes.
type countingWriter struct {
	http.ResponseWriter
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.ResponseWriter.Write(b)
	c.n += int64(n)
	return n, err
}

// browserUsage is the usage text of an option of open and view.
const browserUsage = "print the address, start no browser"
