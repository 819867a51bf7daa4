// Package loopback serves pages to browsers on this machine. A client that is slow, broken or gone
// affects only its own connection.
package loopback

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Listen opens a port on the loopback address. Port 0 picks a free one.
func Listen(port int) (net.Listener, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err == nil || port != 0 {
		return l, err
	}
	l, err6 := net.Listen("tcp", "[::1]:0")
	if err6 != nil {
		return nil, errors.Join(err, err6)
	}
	return l, nil
}

// Is reports whether a request was sent to this machine, by a name or an address that always means
// this machine. Other names that resolve to it do not count. The port may differ, since ssh
// forwards it.
func Is(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// limits holds the time limits for a client.
type limits struct {
	header time.Duration // for sending a request
	stall  time.Duration // for reading a piece of an answer
	idle   time.Duration // between requests
}

var usual = limits{header: 10 * time.Second, stall: 30 * time.Second, idle: 2 * time.Minute}

// Serve answers requests until the context is done or done is closed, and closes the listener. If
// the context is done, answers are cut off. If done is closed, they are completed. done may be nil.
func Serve(ctx context.Context, l net.Listener, h http.Handler, done <-chan struct{}) error {
	return usual.serve(ctx, l, h, done)
}

func (m limits) serve(ctx context.Context, l net.Listener, h http.Handler, done <-chan struct{}) error {
	server := &http.Server{
		// Without ReadTimeout, since it would end the context of an answer that takes long.
		Handler: m.handler(h), ReadHeaderTimeout: m.header, WriteTimeout: m.stall, IdleTimeout: m.idle,
		MaxHeaderBytes: 64 << 10,
		BaseContext:    func(net.Listener) context.Context { return ctx },
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	case <-done:
		server.Shutdown(ctx) // the error is the context's error
	}
	server.Close()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// handler sets a new deadline for each piece of an answer. So an answer may have any size, but no
// client can block for ever.
func (m limits) handler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		if r.ContentLength != 0 { // requests with a body are not expected
			c.SetReadDeadline(time.Now().Add(m.header))
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(&pieces{ResponseWriter: w, control: c, stall: m.stall}, r)
	})
}

// pieces writes an answer piece by piece.
type pieces struct {
	http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration
}

const pieceBytes = 64 << 10

// Unwrap serves http.ResponseController.
func (p *pieces) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// Write implements io.Writer.
func (p *pieces) Write(b []byte) (n int, err error) {
	for {
		p.control.SetWriteDeadline(time.Now().Add(p.stall))
		wrote, err := p.ResponseWriter.Write(b[n : n+min(len(b)-n, pieceBytes)])
		if n += wrote; err != nil || n == len(b) {
			return n, err
		}
	}
}
