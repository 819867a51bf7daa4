package exports

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/command"
)

// TestPerfettoFile: only who knows the path gets the trace, only Perfetto's page may fetch it, and the end of the fetching is seen.
func TestPerfettoFile(t *testing.T) {
	content := strings.Repeat("trace", 100_000)
	fetched := make(chan bool, 9)
	server := httptest.NewServer(&perfettoFile{path: "/secret/t.perfetto-trace", content: strings.NewReader(content), fetched: func() { fetched <- true }})
	defer server.Close()
	get := func(method, path string, headers ...string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequest(method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp, string(body)
	}
	for _, path := range []string{"/", "/t.perfetto-trace", "/Secret/t.perfetto-trace", "/secret/../secret"} {
		if resp, body := get("GET", path); resp.StatusCode != http.StatusNotFound || strings.Contains(body, "trace") || resp.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %s, %.20s", path, resp.Status, body)
		}
	}
	if resp, _ := get("POST", "/secret/t.perfetto-trace"); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Error("POST: ", resp.Status)
	}
	resp, _ := get("OPTIONS", "/secret/t.perfetto-trace", "Access-Control-Request-Private-Network", "true")
	if resp.StatusCode != http.StatusNoContent || resp.Header.Get("Access-Control-Allow-Private-Network") != "true" {
		t.Error("OPTIONS: ", resp.Status, resp.Header)
	}
	if _, body := get("GET", "/secret/t.perfetto-trace", "Range", "bytes=0-4"); body != "trace" {
		t.Errorf("a part: %.20s", body)
	}
	resp, body := get("GET", "/secret/t.perfetto-trace", "Origin", perfettoUI)
	if body != content || resp.Header.Get("Access-Control-Allow-Origin") != perfettoUI {
		t.Error(len(body), resp.Header)
	}
	server.Close() // waits for the answers
	if len(fetched) != 1 {
		t.Error("fetched ", len(fetched), " times")
	}
}

// TestOpenFlame: the page with flame graphs is served until the command is told to end.
func TestOpenFlame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	Add()
	root := command.Tree()
	root.SetArgs([]string{"open", "--flame", "--no-browser", "../../../testdata/uftrace/abc-full/data.tar.gz"})
	root.SetOut(in)
	root.SetErr(&bytes.Buffer{})
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(strings.TrimSpace(string(line[:n])))
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.Contains(string(page), "speedscope") {
		t.Errorf("%v: %.200s", err, page)
	}
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the command goes on")
	}
}
