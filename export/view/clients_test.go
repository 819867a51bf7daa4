package view

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// unread is a client that reads nothing until it is released.
type unread struct {
	*httptest.ResponseRecorder
	written, read chan bool
}

func (u *unread) Write(b []byte) (int, error) {
	u.written <- true
	<-u.read
	return len(b), nil
}

// TestUnread: an answer that is not read holds no lock, so that the index is filled and other
// requests are answered.
func TestUnread(t *testing.T) {
	s := serve(t, extract)
	finished(t, s)
	const all = "from=0&to=1000000000"
	for _, path := range []string{
		"status", "tracks", "names?from=0", "rates", "losses?level=0&" + all, "window?level=20&lanes=0.0&" + all,
		"item?lane=0.i&index=0", "item?lane=0.0&index=0",
		"find?time=0&text=e&first=1", "flame?tracks=thread&" + all, "options?" + all, "about", "find?time=x",
	} {
		u := &unread{httptest.NewRecorder(), make(chan bool, 9), make(chan bool)}
		ended := make(chan bool)
		go func() {
			s.ServeHTTP(u, httptest.NewRequest("GET", s.URL()+path, nil))
			close(ended)
		}()
		<-u.written
		if !s.index.mu.TryLock() {
			t.Errorf("%s: the index is locked", path)
		} else {
			s.index.mu.Unlock()
		}
		if !s.mu.TryLock() {
			t.Errorf("%s: the server is locked", path)
		} else {
			s.mu.Unlock()
		}
		close(u.read)
		<-ended
	}
}

// TestOneAnswer: the response to a request is either an answer or an error, never both.
func TestOneAnswer(t *testing.T) {
	s := serve(t, extract)
	finished(t, s)
	for _, path := range []string{
		"find?time=0&within=x", "find?time=0&within=0", "find?time=x", "find?time=0&index=-1&lane=0.0",
		"item?lane=x&index=0", "names?from=x",
		"losses?level=99&from=0&to=1", "options?from=x&to=0", "window?level=x", "flame?from=0&to=1&tracks=x",
	} {
		if res, body := ask(t, s, path); res.StatusCode != http.StatusBadRequest ||
			strings.Contains(string(body), "{") {
			t.Errorf("%s: %s: %s", path, res.Status, body)
		}
	}
}
