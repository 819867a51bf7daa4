package flame_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/flame"
	"github.com/tracec/tracec/export/profile"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
)

const secret = "/0123456789"

// graph returns the profile of a recording as speedscope reads it.
func graph(t *testing.T, path string) []byte {
	t.Helper()
	r, err := tracec.NewReader(exporttest.Open(t, path), tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := profile.Write(&b, r, profile.Options{Format: profile.Speedscope}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// seen holds the paths that a server has received.
type seen struct {
	mu   sync.Mutex
	list []string
}

func serve(t *testing.T, content []byte, name string) (*httptest.Server, *seen) {
	var s seen
	h := http.StripPrefix(secret, flame.Handler(content, name))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.list = append(s.list, r.URL.Path)
		s.mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server, &s
}

func get(t *testing.T, method, address, host string) *http.Response {
	t.Helper()
	req, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		req.Host = host
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// TestHandler: the page and its files are served, also to clients other than browsers. Other paths
// and other hosts are refused.
func TestHandler(t *testing.T) {
	server, _ := serve(t, []byte("content"), "a&b=c \xff#\"<")
	root := server.URL + secret + "/"
	resp := get(t, http.MethodGet, root, "")
	place, err := resp.Location()
	if err != nil || resp.StatusCode != http.StatusFound {
		t.Fatal(resp.Status, err)
	}
	if want := "profileURL=profile&title=a%26b%3Dc%20%EF%BF%BD%23%22%3C"; place.Path != secret+"/index.html" ||
		place.EscapedFragment() != want {
		t.Errorf("the page is %s", place)
	}
	text, err := io.ReadAll(get(t, http.MethodGet, root+"index.html", "").Body)
	if err != nil || !bytes.Contains(text, []byte("<title>speedscope</title>")) {
		t.Errorf("the page is %q, %v", text, err)
	}
	files := regexp.MustCompile(`(?:href|src)="([^"]+)"`).FindAllStringSubmatch(string(text), -1)
	if len(files) < 4 {
		t.Fatalf("the page has files %q", files)
	}
	for _, f := range files {
		if resp := get(t, http.MethodGet, root+f[1], ""); resp.StatusCode != http.StatusOK &&
			filepath.Ext(f[1]) != ".ico" {
			t.Errorf("%s: %s", f[1], resp.Status)
		}
	}
	for address, want := range map[string]int{
		"profile": http.StatusOK, "nothing": http.StatusNotFound, "speedscope/LICENSE": http.StatusNotFound,
		"../flame.go":   http.StatusNotFound,
		"index.html.gz": http.StatusNotFound, "%2e%2e%2fflame.go": http.StatusNotFound,
	} {
		resp := get(t, http.MethodGet, root+address, "")
		if resp.StatusCode != want {
			t.Errorf("%s: %s, want %d", address, resp.Status, want)
		}
		if csp := resp.Header.Get("Content-Security-Policy"); want == http.StatusOK &&
			!strings.HasPrefix(csp, "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; ") {
			t.Errorf("%s: policy %q", address, csp)
		}
	}
	for host, want := range map[string]int{
		"evil.example": http.StatusForbidden, "127.0.0.1.evil.example:80": http.StatusForbidden,
		"10.0.0.1": http.StatusForbidden, "": http.StatusOK,
		"localhost:1234": http.StatusOK, "[::1]:80": http.StatusOK, "127.0.0.1": http.StatusOK,
	} {
		if resp := get(t, http.MethodGet, root+"profile", host); resp.StatusCode != want {
			t.Errorf("host %q: %s, want %d", host, resp.Status, want)
		}
	}
	if resp := get(t, http.MethodPost, root+"profile", ""); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %s", resp.Status)
	}
}

// TestPackage compares the files with the npm package.
func TestPackage(t *testing.T) {
	const folder = "node_modules/speedscope"
	dir := filepath.Join(needs.Consumer(t, "TRACEC_SPEEDSCOPE", "speedscope", folder), folder)
	files, err := os.ReadDir("speedscope")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		ours, err := os.ReadFile(filepath.Join("speedscope", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		theirs := filepath.Join(dir, "dist", "release", strings.TrimSuffix(f.Name(), ".gz"))
		switch f.Name() {
		case "README.md", "LIBRARIES.md":
			continue
		case "LICENSE":
			theirs = filepath.Join(dir, "LICENSE")
		case "FONT_LICENSE.md":
			theirs = filepath.Join(dir, "dist", "release", "source-code-pro.LICENSE.md")
		}
		if strings.HasSuffix(f.Name(), ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(ours))
			if err != nil {
				t.Fatal(err)
			}
			if ours, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(theirs)
		if err != nil || !bytes.Equal(ours, want) {
			t.Errorf("%s is not that of the package: %v", f.Name(), err)
		}
	}
}

// chromium opens a page, runs its scripts, and returns the document and the console output. With a
// file name it saves a picture.
func chromium(t *testing.T, address, picture string) (document, console string) {
	t.Helper()
	name := needs.Program(t, "chromium", "apt-get install chromium")
	args := []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-default-apps", "--disable-extensions", "--enable-unsafe-swiftshader",
		"--window-size=1400,900", "--enable-logging=stderr",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--virtual-time-budget=20000",
		"--user-data-dir=" + t.TempDir(),
	}
	if picture != "" {
		args = append(args, "--screenshot="+picture)
	} else {
		args = append(args, "--dump-dom")
	}
	var out, stderr bytes.Buffer
	cmd := exec.Command(name, append(args, address)...)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Start(); err != nil {
		needs.Skip(t, "the browser does not start", err)
	}
	timer := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return out.String(), console
}

// TestBrowser: a browser shows the profile and requests nothing else. TRACEC_PICTURES names a
// folder for pictures of the pages.
func TestBrowser(t *testing.T) {
	content := graph(t, "../../testdata/uftrace/cpp-auto/data.tar.gz")
	server, asked := serve(t, content, `cpp-auto "<b>" & co`)
	page := server.URL + secret + "/index.html#profileURL=profile&title=" + url.PathEscape(`cpp-auto "<b>"`)
	document, console := chromium(t, page+"&view=sandwich", "")
	for _, want := range []string{"main", "std::vector::vector", "Sandwich", "Left Heavy", `cpp-auto "&lt;b&gt;"`} {
		if !strings.Contains(document, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	for line := range strings.Lines(console) {
		if regexp.MustCompile(`Uncaught|Refused|violates|ERROR|WARNING|Failed`).MatchString(line) {
			t.Errorf("the page says: %s", line)
		}
	}
	asked.mu.Lock()
	slices.Sort(asked.list)
	list := slices.Compact(asked.list)
	asked.mu.Unlock()
	for _, path := range list {
		if !strings.HasPrefix(path, secret+"/") && path != "/favicon.ico" {
			t.Errorf("the page asked for %s", path)
		}
	}
	if !slices.Contains(list, secret+"/profile") {
		t.Errorf("the page asked for %s", list)
	}
	if dir := os.Getenv("TRACEC_PICTURES"); dir != "" {
		chromium(t, page+"&view=left-heavy", filepath.Join(dir, "flame.png"))
		chromium(t, page+"&view=sandwich", filepath.Join(dir, "flame-sandwich.png"))
	}
}
