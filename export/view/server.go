package view

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/loopback"
	"github.com/tracec/tracec/runtime/record"
)

// Open returns a reader of the selected records of the recording that are also in the selection
// within, with tracec.WithRecords and further options. It is called for the index, and for each
// displayed event, from several goroutines.
type Open func(within record.Options, more ...tracec.Option) (*tracec.Reader, error)

// Options configure the page.
type Options struct {
	Title  string // title of the page: the name of the recording
	Memory int64  // maximum bytes of the index in memory, with the rest in a temporary file; 0 means 128 MiB
	// First is the time of the first event of the recording, even if it is not selected. The page
	// shows times since then. 0 means the first selected event.
	First uint64
	// Origin is subtracted from recorded times for display.
	Origin uint64
	// Window returns a window of time as command-line options: by recorded times, and by times
	// since First.
	Window func(from, to uint64) (recorded, since string)
	// Whole opens the recording without a selection of threads and events, which the states of a
	// thread need. If nil, it is the function that opens the recording.
	Whole Open
}

// Server serves one recording.
type Server struct {
	open   Open
	o      Options
	token  string
	listen net.Listener
	mux    *http.ServeMux
	index  *index

	mu       sync.Mutex
	reader   *tracec.Reader // reader of the index; nil before it begins
	done     bool
	err      error
	began    time.Time
	duration time.Duration
}

//go:embed page
var page embed.FS

// New returns a server. It reads nothing before Serve.
func New(open Open, o Options) *Server {
	if o.Memory == 0 {
		o.Memory = 128 << 20
	}
	if o.Window == nil {
		o.Window = func(from, to uint64) (string, string) { return "", "" }
	}
	if o.Whole == nil {
		o.Whole = open
	}
	s := &Server{open: open, o: o, token: rand.Text(), index: newIndex(o.Memory)}
	s.routes()
	return s
}

// Listen opens a port on the loopback address, which the system chooses.
func (s *Server) Listen() error {
	l, err := loopback.Listen(0)
	s.listen = l
	return err
}

// URL returns the address of the page, after Listen. Anyone with the address can read the
// recording.
func (s *Server) URL() string { return "http://" + s.listen.Addr().String() + "/" + s.token + "/" }

// Serve reads the recording and answers requests until the context is done, which is not an error.
// The page can be opened immediately. Errors of the recording are shown by the page, and returned
// by Err.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var indexing sync.WaitGroup
	indexing.Go(func() { s.read(ctx) })
	err := loopback.Serve(ctx, s.listen, s, nil)
	cancel()
	indexing.Wait()
	s.index.mu.Lock()
	defer s.index.mu.Unlock()
	return errors.Join(err, s.index.store.close())
}

// Err returns the reason why parts of the recording are not shown. It is complete once the
// recording has been read.
func (s *Server) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// read fills the index.
func (s *Server) read(ctx context.Context) {
	began := time.Now()
	s.mu.Lock()
	s.began = began
	s.mu.Unlock()
	err := s.fill(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done, s.err, s.duration = true, err, time.Since(began)
}

// perLock is the number of items to add before readers may take the lock.
const perLock = 4096

func (s *Server) fill(ctx context.Context) error {
	r, err := s.open(record.Options{Context: ctx}, tracec.WithThreads())
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.reader = r
	s.mu.Unlock()
	err = s.index.fill(r)
	if ctx.Err() != nil {
		return err
	}
	if s.index.plays {
		err = cmp.Or(err, s.countEvents(ctx))
	}
	// Only the first error counts, since the second pass meets the same damage.
	return cmp.Or(err, s.followStates(ctx, r.Records().Tasks == nil && !r.Filtered()))
}

// fill adds the timeline of a reader to the index.
func (x *index) fill(r *tracec.Reader) error {
	t, err := timeline.New(r)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.plays = t.Plays()
	n := 0
	for it := range t.All() {
		x.add(it)
		if n++; n%perLock == 0 {
			x.mu.Unlock()
			x.mu.Lock()
		}
	}
	return t.Err()
}

// ServeHTTP answers requests for the page and its data.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header()[name] = value
	}
	if !loopback.Is(r.Host) {
		http.Error(w, "wrong host", http.StatusForbidden)
		return
	}
	token, rest, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !ok || subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1 {
		http.Error(w, "the address lacks its token: use the one that the command printed", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "read-only", http.StatusMethodNotAllowed)
		return
	}
	inner := r.Clone(r.Context())
	inner.URL.Path = "/" + rest
	s.mux.ServeHTTP(w, inner)
}

// headers holds the headers of all answers. The page may load data only from here and run only its
// own scripts. Its address is not passed to other pages.
var headers = http.Header{
	"Content-Security-Policy": {"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
	"X-Content-Type-Options":       {"nosniff"},
	"Referrer-Policy":              {"no-referrer"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Permissions-Policy":           {"camera=(), geolocation=(), microphone=()"},
	"X-Frame-Options":              {"DENY"},
	"Cache-Control":                {"no-store"},
}

// types holds the content types of the files of the page.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

func (s *Server) routes() {
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) { file(w, r, "index.html") })
	s.mux.HandleFunc("/{name}", func(w http.ResponseWriter, r *http.Request) { file(w, r, r.PathValue("name")) })
	for name, f := range map[string]func(*Server, *query) any{
		"status": (*Server).status, "tracks": (*Server).tracks, "names": (*Server).names, "rates": (*Server).rates,
		"losses": (*Server).losses,
		"window": (*Server).window, "item": (*Server).item, "find": (*Server).find, "flame": (*Server).flame,
		"samples": (*Server).samples,
		"causes":  (*Server).causes, "wakes": (*Server).wakes,
		"list": (*Server).list, "numbers": (*Server).numbers, "search": (*Server).search, "locate": (*Server).locate,
		"tables": (*Server).tables, "sums": (*Server).sums,
		"options": (*Server).options, "about": (*Server).about,
	} {
		s.mux.HandleFunc("/"+name, func(w http.ResponseWriter, r *http.Request) {
			q := &query{values: r.URL.Query(), ctx: r.Context()}
			// The answer is computed first, so that nothing is locked while a slow client reads it.
			switch a := f(s, q); {
			case q.err != nil:
				http.Error(w, q.err.Error(), http.StatusBadRequest)
			case a != nil: // the client is still waiting
				answer(w, a)
			}
		})
	}
}

// file answers with a file of the page.
func file(w http.ResponseWriter, r *http.Request, name string) {
	text, err := fs.ReadFile(page, "page/"+path.Clean(name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", types[path.Ext(name)])
	w.Write(text)
}
