package loopback

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// TestClients: a client that reads nothing, sends nothing or sends half a request is dropped after
// a time. The server answers other clients meanwhile, and a slow reader gets the whole answer.
func TestClients(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
	gone := make(chan bool, 1)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := w.Write(content); err != nil {
			gone <- true
		}
	})
	l, err := Listen(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	m := limits{header: 500 * time.Millisecond, stall: time.Second, idle: time.Second}
	go func() { ended <- m.serve(ctx, l, h, nil) }()
	dial := func(text string) net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		io.WriteString(c, text)
		return c
	}
	const get = "GET / HTTP/1.1\r\nHost: localhost\r\n"
	dial(get + "\r\n") // without reading the answer
	for name, text := range map[string]string{
		"nothing": "", "half a request": get, "no request": "\x16\x03\x01\x00\r\n\r\n",
		"a body that does not come": "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
	} {
		c := dial(text)
		c.SetReadDeadline(time.Now().Add(30 * time.Second))
		if _, err := io.Copy(io.Discard, c); err != nil && strings.Contains(err.Error(), "timeout") {
			t.Errorf("%s: the connection stays: %v", name, err)
		}
	}
	slow := dial("GET / HTTP/1.0\r\n\r\n")
	n, part := 0, make([]byte, 1<<20)
	for {
		k, err := io.ReadFull(slow, part)
		n += k
		if err != nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if n < len(content) {
		t.Errorf("a slow client has %d of %d bytes", n, len(content))
	}
	select {
	case <-gone:
	case <-time.After(30 * time.Second):
		t.Error("one that reads nothing is waited for")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestPage: only the user can read the file that leads to an address, and the file is removed.
func TestPage(t *testing.T) {
	const address = "http://127.0.0.1:1/secret/a&b\"<"
	name, remove, err := Page(address)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(text), "0;url=http://127.0.0.1:1/secret/a&amp;b&#34;&lt;\"") {
		t.Errorf("%s, %v", text, err)
	}
	if st, err := os.Stat(name); err != nil || os.PathSeparator == '/' && st.Mode().Perm() != 0o600 {
		t.Error(st.Mode(), err)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("it stays")
	}
}
