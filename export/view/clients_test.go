package view

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/runtime/record"
)

// TestUnread: clients that ask and read nothing keep neither the recording from being read nor others from answers.
func TestUnread(t *testing.T) {
	rec, err := all.Open(t.Context(), extract)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	begin := make(chan bool) // the recording is read when the clients have asked
	open := opener(rec)
	s := start(t, New(func(o record.Options) (*dynamic.Reader, error) {
		<-begin
		return open(o)
	}, Options{}))
	paths := []string{"find?time=0&text=&first=1", "losses?level=0&from=0&to=1", "flame?from=0&to=1&tracks=thread"}
	for _, path := range paths {
		c, err := net.Dial("tcp", s.listen.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(1 << 10)
		one := fmt.Sprintf("GET /%s/%s HTTP/1.1\r\nHost: localhost\r\n\r\n", s.token, path)
		many := strings.Repeat(one, 1000)
		for err = nil; err == nil; { // until the server reads no more, as it cannot write
			c.SetWriteDeadline(time.Now().Add(time.Second))
			_, err = io.WriteString(c, many)
		}
	}
	close(begin)
	finished(t, s)
	if res, body := ask(t, s, "status"); res.StatusCode != http.StatusOK {
		t.Errorf("%s: %s", res.Status, body)
	}
}

// TestOneAnswer: what a request gets is either an answer or an error, never both.
func TestOneAnswer(t *testing.T) {
	s := serve(t, extract)
	finished(t, s)
	for _, path := range []string{
		"find?time=0&within=x", "find?time=0&within=0", "find?time=x", "find?time=0&index=-1&lane=0.0", "item?lane=x&index=0", "names?from=x",
		"losses?level=99&from=0&to=1", "options?from=x&to=0", "window?level=x", "flame?from=0&to=1&tracks=x",
	} {
		if res, body := ask(t, s, path); res.StatusCode != http.StatusBadRequest || strings.Contains(string(body), "{") {
			t.Errorf("%s: %s: %s", path, res.Status, body)
		}
	}
}
