package view

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/record"
)

// serve shows a recording until the test ends.
func serve(t *testing.T, name string) *Server {
	t.Helper()
	rec, err := tracec.Open(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return start(t, New(opener(rec), Options{Title: name}))
}

func start(t *testing.T, s *Server) *Server {
	t.Helper()
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

// ask returns the answer of a request for a path below the address of a server.
func ask(t *testing.T, s *Server, path string) (*http.Response, []byte) {
	t.Helper()
	res, err := http.Get(s.URL() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, body
}

// askJSON decodes an answer.
func askJSON(t *testing.T, s *Server, path string, v any) {
	t.Helper()
	res, body := ask(t, s, path)
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("%s: %s, %s: %s", path, res.Status, res.Header.Get("Content-Type"), body)
	}
	if err := json.Unmarshal(body, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// finished waits until the recording has been read.
func finished(t *testing.T, s *Server) {
	t.Helper()
	for range 1000 {
		var status struct{ Done bool }
		if askJSON(t, s, "status", &status); status.Done {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the recording is never read")
}

const extract = "../../testdata/ftrace/amd64-extract.dat"

// TestRefused: requests without the token, for another host, or with other methods are refused. The
// responses contain nothing of the recording.
func TestRefused(t *testing.T) {
	s := serve(t, extract)
	address := s.listen.Addr().String()
	for _, c := range []struct {
		method, path, host string
		status             int
	}{
		{"GET", "/" + s.token + "/", address, 200},
		{"HEAD", "/" + s.token + "/status", address, 200},
		{"GET", "/", address, 403},
		{"GET", "/status", address, 403},
		{"GET", "/" + s.token, address, 403}, // without a slash
		{"GET", "/" + s.token[1:] + "/status", address, 403},
		{"GET", "/" + strings.ToLower(s.token) + "/status", address, 403},
		{"GET", "//status", address, 403},
		{"GET", "/x/../" + s.token + "/status", address, 403},
		{"GET", "/" + s.token + "/status", "example.com", 403},
		{"GET", "/" + s.token + "/status", "localhost:8000", 200}, // ssh -L 8000:…
		{"GET", "/" + s.token + "/status", "[::1]:8000", 200},
		{"GET", "/" + s.token + "/status", "localhost.example.com:8000", 403},
		{"GET", "/" + s.token + "/status", "127.0.0.1.example.com", 403},
		{"GET", "/" + s.token + "/status", "0.0.0.0:8000", 403},
		{"GET", "/" + s.token + "/status", "", 403},
		{"POST", "/" + s.token + "/status", address, 405},
		{"PUT", "/" + s.token + "/status", address, 405},
		{"OPTIONS", "/" + s.token + "/status", address, 405},
		{"DELETE", "/wrong/status", address, 403},
		{"GET", "/" + s.token + "/nothing", address, 404},
		{"GET", "/" + s.token + "/../server.go", address, 404},
		{"GET", "/" + s.token + "/..%2fserver.go", address, 404},
		{"GET", "/" + s.token + "/window", address, 400},
		// more lanes than on any screen
		{"GET", "/" + s.token + "/window?level=0&from=0&to=1000000&lanes=0.0", address, 400},
		{"GET", "/" + s.token + "/window?level=20&from=0&to=1000000&lanes=0.0,x", address, 400},
		{"GET", "/" + s.token + "/window?level=20&from=0&to=1000000&lanes=-1.0", address, 400},
		{"GET", "/" + s.token + "/item?lane=0.0&index=99999999", address, 400},
		{"GET", "/" + s.token + "/flame?from=0&to=1&tracks=all", address, 400},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(c.method, "http://"+address+c.path, nil)
		r.Host = c.host
		s.ServeHTTP(w, r)
		body := w.Body.String()
		if w.Code != c.status && !(c.status == 404 && w.Code == 307) {
			t.Errorf("%s %s of %s: %d, want %d", c.method, c.path, c.host, w.Code, c.status)
		}
		if c.status != 200 && (strings.Contains(body, s.token) || strings.Contains(body, "amd64") ||
			strings.Contains(body, "package view")) {
			t.Errorf("%s %s of %s: %s", c.method, c.path, c.host, body)
		}
		h := w.Header()
		if csp := h.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; script-src 'self';") ||
			strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" ||
			h.Get("Cache-Control") != "no-store" ||
			h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s: headers %v", c.method, c.path, h)
		}
	}
}

// TestLoopback: the port is on the loopback address, and addresses do not repeat.
func TestLoopback(t *testing.T) {
	one, two := serve(t, extract), serve(t, extract)
	for _, s := range []*Server{one, two} {
		if a := s.listen.Addr().(*net.TCPAddr); !a.IP.IsLoopback() || len(s.token) < 20 {
			t.Errorf("address %v, token of %d letters", a, len(s.token))
		}
	}
	if one.token == two.token {
		t.Error("two servers have one token")
	}
}

// TestPage: all files of the page are served with their types, and name nothing outside.
func TestPage(t *testing.T) {
	s := serve(t, extract)
	files, err := page.ReadDir("page")
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		res, body := ask(t, s, f.Name())
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != types[f.Name()[strings.LastIndex(f.Name(),
			"."):]] {
			t.Errorf("%s: %s, %s", f.Name(), res.Status, res.Header.Get("Content-Type"))
		}
		text := strings.ReplaceAll(string(body), "http://www.w3.org/2000/svg", "")
		for _, no := range []string{"http:", "https:", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write",
			"eval(", "new Function", "style=", "onclick="} {
			if strings.Contains(text, no) {
				t.Errorf("%s has %s", f.Name(), no)
			}
		}
	}
}

// TestAnswers: the answers to the page are consistent: the events of the window are found, and have
// the texts of the recording.
func TestAnswers(t *testing.T) {
	s := serve(t, extract)
	finished(t, s)
	var status struct {
		Base         string
		Now, Items   uint64
		Done         bool
		Error        string
		Tracks, Size int
	}
	askJSON(t, s, "status", &status)
	base, err := strconv.ParseUint(status.Base, 10, 64)
	if err != nil || status.Error != "" || status.Items == 0 || status.Tracks == 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	var names [][2]string
	askJSON(t, s, "names?from=0", &names)
	var rates struct{ Counts []uint64 }
	askJSON(t, s, "rates", &rates)
	sum := uint64(0)
	for _, n := range rates.Counts {
		sum += n
	}
	if sum != status.Items {
		t.Errorf("%d items in the overview, of %d", sum, status.Items)
	}
	events := texts(t)
	found := 0
	for at, back := "time=-1", ""; ; {
		var answer struct{ Found *itemAnswer }
		askJSON(t, s, "find?text=wakeup&"+at+back, &answer)
		if answer.Found == nil {
			break
		}
		it := answer.Found
		if !strings.Contains(names[it.Name][0], "wakeup") {
			t.Fatalf("%s is found", names[it.Name][0])
		}
		var shown struct {
			Item  itemAnswer
			Begin []eventAnswer
		}
		place := "lane=" + it.Lane + "&index=" + strconv.Itoa(it.Index)
		askJSON(t, s, "item?"+place, &shown)
		if shown.Item != *it || len(shown.Begin) == 0 {
			t.Fatalf("%+v is shown as %+v", it, shown)
		}
		for _, e := range shown.Begin {
			if text, ok := events[e.Time+" "+e.Name]; !ok || text != e.Text ||
				e.Time != strconv.FormatUint(base+uint64(it.Begin), 10) || len(e.Fields) == 0 {
				t.Fatalf("%+v, want %q", e, text)
			}
		}
		found++
		at = place + "&time=" + strconv.FormatInt(it.Begin, 10)
	}
	want := 0
	for key := range events {
		if strings.Contains(key, "wakeup") {
			want++
		}
	}
	if found != want || want == 0 {
		t.Errorf("%d wakeups found, want %d", found, want)
	}
}

// texts returns the texts of the events of extract, by time and name.
func texts(t *testing.T) map[string]string {
	t.Helper()
	rec, err := tracec.Open(context.Background(), extract)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for ev := range r.All() {
		text, _ := ev.AppendText(nil)
		list[strconv.FormatUint(ev.Time, 10)+" "+ev.Type.Label] = string(text)
	}
	return list
}

// TestWindowAnswer: an answer has its length in the header, and the items of the lane.
func TestWindowAnswer(t *testing.T) {
	s := serve(t, extract)
	finished(t, s)
	var tracks []struct {
		Index, Depth int
		Instants     bool
		Items        uint64
	}
	askJSON(t, s, "tracks", &tracks)
	for _, tr := range tracks {
		lanes := []string{strconv.Itoa(tr.Index) + ".i"}
		for d := range tr.Depth {
			lanes = append(lanes, strconv.Itoa(tr.Index)+"."+strconv.Itoa(d))
		}
		q := url.Values{"level": {"40"}, "from": {"-5"}, "to": {"99999999999999"}, "lanes": {strings.Join(lanes, ",")}}
		_, body := ask(t, s, "window?"+q.Encode())
		le := binary.LittleEndian
		n, m := int(le.Uint32(body[4:])), int(le.Uint32(body[8:]))
		counts := 16 + 4*(n+n%2) + 4*8*m + 4*m
		if le.Uint32(body) != windowMagic || n != len(lanes) || len(body) != counts+5*4*m {
			t.Fatalf("%d bytes of %d lanes and %d entries", len(body), n, m)
		}
		items := uint64(0)
		for i := range m {
			items += uint64(le.Uint32(body[counts+4*i:]))
		}
		if items != tr.Items {
			t.Errorf("track %d: %d items, want %d", tr.Index, items, tr.Items)
		}
	}
}

// hostile are names that would be harmful as markup, and bytes that are not characters.
var hostile = []string{
	`<img src=x onerror="window.harmed=1">`, `</script><script>window.harmed=1</script>`,
	`"><svg onload=window.harmed=1>`, "a\x00b\xff\xfe\x1b[31m\n", `{{constructor}}`,
	`javascript:window.harmed=1`, strings.Repeat("W", 5000), "\u202egnp.exe", `__proto__`, "",
}

// hostileIndex has tracks and spans with such names.
func hostileIndex(s *Server) {
	x := s.index
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, text := range hostile {
		tr := &timeline.Track{Index: i, Process: int32(i % 3), ID: int32(i), CPU: -1, Name: text}
		n := &timeline.Name{Index: i, Text: text, Category: text}
		for k := range uint64(20) {
			at := 1000*k + uint64(i)
			tr.Open = append(tr.Open, timeline.Span{Name: n, Begin: at})
			x.add(&timeline.Item{Kind: timeline.Begin, Time: at, Track: tr, Name: n, Span: &tr.Open[0]})
			span := timeline.Span{Name: n, Begin: at, End: at + 500}
			tr.Open = tr.Open[:0]
			x.add(&timeline.Item{Kind: timeline.End, Time: at + 500, Track: tr, Name: n, Span: &span})
			x.add(&timeline.Item{Kind: timeline.Instant, Time: at + 600, Track: tr, Name: n})
		}
	}
}

// none opens an empty recording with a name that would be harmful as markup.
func none(record.Options, ...tracec.Option) (*tracec.Reader, error) { return nil, errHostile }

type hostileError struct{}

func (hostileError) Error() string { return hostile[0] }

var errHostile = hostileError{}

// TestShown: names are valid text in answers, and show their original bytes.
func TestShown(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "größe": "größe", "a\x00b\xff\x1b[31m\n": `a\x00b\xff\x1b[31m\x0a`, "\uFFFD": "\uFFFD",
		"\u0085": `\xc2\x85`, "": "", "a\u202eb": `a\u202eb`,
	} {
		if got := shown(in); got != want {
			t.Errorf("shown(%q) is %q, want %q", in, got, want)
		}
	}
	s := start(t, New(none, Options{Title: hostile[0]}))
	hostileIndex(s)
	for _, path := range []string{"status", "tracks", "names?from=0", "find?text=onerror&time=0",
		"flame?from=0&to=100000&tracks=thread", "about"} {
		_, body := ask(t, s, path)
		if strings.Contains(string(body), "<img") || strings.Contains(string(body), "<script") {
			t.Errorf("%s has markup: %.200s", path, body)
		}
	}
}

// TestWhileReading: answers during reading cover the part that has been read.
func TestWhileReading(t *testing.T) {
	rec, err := tracec.Open(context.Background(), extract)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	whole := indexed(t, opener(rec))
	for range 10 {
		s := start(t, New(opener(rec), Options{}))
		items := uint64(0)
		for done := false; !done; {
			var status struct {
				Items uint64
				Done  bool
			}
			askJSON(t, s, "status", &status)
			if status.Items < items || status.Items > whole.items {
				t.Fatalf("%d items after %d, of %d", status.Items, items, whole.items)
			}
			items, done = status.Items, status.Done
			for _, path := range []string{
				"tracks", "names?from=0", "rates", "losses?level=0&from=0&to=99999999999",
				"window?level=30&from=0&to=99999999999&lanes=0.i,0.0,1.0,1.i",
				"find?text=sched&time=0", "flame?from=0&to=99999999999&tracks=cpu", "about", "item?lane=0.i&index=0",
			} {
				if res, body := ask(t, s, path); res.StatusCode != http.StatusOK &&
					(done || !strings.HasPrefix(path, "item")) {
					t.Errorf("%s: %s: %s", path, res.Status, body)
				}
			}
		}
		if items != whole.items {
			t.Errorf("%d items, want %d", items, whole.items)
		}
	}
}
