package exports

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/loopback"
)

// TestPerfettoFile: only clients that know the path get the trace, only Perfetto's page may fetch
// it, and the end of the transfer is detected.
func TestPerfettoFile(t *testing.T) {
	content := strings.Repeat("trace", 100_000)
	served := newPerfettoFile("/secret/t.perfetto-trace", strings.NewReader(content), int64(len(content)))
	server := httptest.NewServer(served)
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
		if resp, body := get("GET", path); resp.StatusCode != http.StatusNotFound || strings.Contains(body, "trace") ||
			resp.Header.Get("Access-Control-Allow-Origin") != "" {
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
	if served.fetched {
		t.Error("it ends before it was fetched whole")
	}
	resp, body := get("GET", "/secret/t.perfetto-trace", "Origin", perfettoUI)
	if body != content || resp.Header.Get("Access-Control-Allow-Origin") != perfettoUI {
		t.Error(len(body), resp.Header)
	}
	select {
	case <-served.done:
	case <-time.After(30 * time.Second):
		t.Error("it does not end")
	}
}

// TestOpenMany: all simultaneous clients get the right bytes, even if other clients disconnect or
// read nothing. Then the server ends.
func TestOpenMany(t *testing.T) {
	content := make([]byte, 8<<20)
	for i := range content {
		content[i] = byte(i >> 7 * 31)
	}
	served := newPerfettoFile("/s/t", bytes.NewReader(content), int64(len(content)))
	l, err := loopback.Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- loopback.Serve(t.Context(), l, served, served.done) }()
	for i := range 4 { // they send a request, and disconnect or read nothing
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, "GET /s/t HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if i%2 == 0 {
			c.Close()
		} else {
			defer c.Close()
			time.AfterFunc(2*time.Second, func() { c.Close() })
		}
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			resp, err := http.Get("http://" + l.Addr().String() + "/s/t")
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			if err != nil || !bytes.Equal(body, content) {
				t.Errorf("%d of %d bytes, or others: %v", len(body), len(content), err)
			}
		})
	}
	wait.Wait()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it does not end")
	}
}

// TestOpenTaken checks that a port in use is reported before the work, with a remedy.
func TestOpenTaken(t *testing.T) {
	if l, err := loopback.Listen(perfettoPort); err == nil {
		defer l.Close()
	}
	Add()
	root := command.Tree()
	root.SetArgs([]string{"open", "--no-browser", "../../../testdata/ftrace/amd64-extract.dat"})
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	err := root.ExecuteContext(t.Context())
	if err == nil || !strings.Contains(err.Error(), "port 9001") ||
		!strings.Contains(err.Error(), "tracec export --to perfetto") {
		t.Error(err)
	}
}

// TestOpenFlame checks that the page with flame graphs is served until the command is interrupted.
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
