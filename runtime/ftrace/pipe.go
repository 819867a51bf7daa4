package ftrace

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/tracec/tracec/runtime/record"
)

// OpenPages opens the sub-buffers of one processor that come through a pipe, as the kernel delivers
// them in trace_pipe_raw. The name is for messages. The directory dir is laid out as tracefs and
// describes the sub-buffers. It must have events/; other files are optional. OpenPages waits for
// the first sub-buffer to find the byte order. Records can be read only once: streams grow, see
// record.Growing. Close of the recording closes from, which must end a pending read. If OpenPages
// fails, it does not close from.
func OpenPages(from io.ReadCloser, name string, cpu int, dir fs.FS, opts ...OpenOption) (*Recording, error) {
	in := bufio.NewReaderSize(from, pageHead)
	r := Recording{dir: dir}
	r.info.Name = name
	text, err := fs.ReadFile(dir, "events/header_page")
	if err == nil {
		err = r.layout.parseHeaderPage(string(text), 8)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the layout of a page: %w", name, err)
	}
	size := r.layout.data + r.layout.capacity
	if !validPageSize(size) {
		return nil, fmt.Errorf("%s: %w: pages of %d bytes", name, ErrCorrupt, size)
	}
	head, err := in.Peek(r.layout.data)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var order []OpenOption
	if len(head) == r.layout.data {
		switch little, big := r.layout.orders(head, size); {
		case big && !little:
			order = []OpenOption{WithByteOrder(binary.BigEndian)}
		case little && !big:
			order = []OpenOption{WithByteOrder(binary.LittleEndian)}
		}
	}
	p := newPipe(in, from, cpu, size)
	rec, err := OpenLive(dir, name, p, append(order, opts...)...)
	if err != nil {
		close(p.done)
		return nil, err
	}
	rec.keep(p)
	return rec, nil
}

// A pipe is a Feed of sub-buffers from a pipe. A goroutine reads, so that its users do not block.
type pipe struct {
	cpu    int
	live   record.Live
	chunks chan piece
	free   chan []byte
	done   chan struct{}
	from   io.Closer
	ready  *piece // next piece; nil if not known yet
	held   []byte // of the piece that the last Next returned
	err    error  // after the last piece
}

// A piece is some sub-buffers, or the error that ends them.
type piece struct {
	data []byte // the last sub-buffer may be short at the end
	seen time.Time
	err  error
}

// pipeBlock is the size of a read. At least one sub-buffer is read.
const pipeBlock = 64 << 10

func newPipe(r io.Reader, from io.Closer, cpu, page int) *pipe {
	p := &pipe{from: from, cpu: cpu, chunks: make(chan piece), free: make(chan []byte, 2), done: make(chan struct{})}
	p.live = record.Live{Delay: record.DefaultDelay, Wait: p.wait}
	block := max(page, pipeBlock/page*page)
	for range cap(p.free) {
		p.free <- make([]byte, block)
	}
	go p.read(r, page)
	return p
}

// read reads to the end of the pipe, or until it is closed.
func (p *pipe) read(r io.Reader, page int) {
	var rest []byte // of an incomplete sub-buffer
	for {
		var buf []byte
		select {
		case buf = <-p.free:
		case <-p.done:
			return
		}
		n := copy(buf, rest)
		m, err := io.ReadAtLeast(r, buf[n:], page-n)
		if n += m; errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		c := piece{data: buf[:n], seen: time.Now(), err: err}
		if err == nil {
			c.data = buf[:n/page*page]
			rest = append(rest[:0], buf[len(c.data):n]...)
		}
		select {
		case p.chunks <- c:
		case <-p.done:
			return
		}
		if err != nil {
			return
		}
	}
}

// CPUs implements Feed.
func (p *pipe) CPUs() []int { return []int{p.cpu} }

// Live implements Feed.
func (p *pipe) Live() *record.Live { return &p.live }

// Next implements Feed.
func (p *pipe) Next(int) ([]byte, time.Time, error) {
	if p.held != nil {
		p.free <- p.held[:cap(p.held)]
		p.held = nil
	}
	if p.err != nil {
		return nil, time.Time{}, p.err
	}
	if p.ready == nil {
		select {
		case c := <-p.chunks:
			p.ready = &c
		default:
			return nil, time.Time{}, record.ErrPending
		}
	}
	c := *p.ready
	p.ready, p.err = nil, c.err
	if len(c.data) == 0 {
		return nil, c.seen, c.err
	}
	p.held = c.data
	return c.data, c.seen, nil
}

// wait waits for sub-buffers.
func (p *pipe) wait(d time.Duration) error {
	if p.ready != nil || p.err != nil {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case c := <-p.chunks:
		p.ready = &c
	case <-t.C:
	}
	return nil
}

// Close ends the reading.
func (p *pipe) Close() error {
	close(p.done)
	return p.from.Close()
}
