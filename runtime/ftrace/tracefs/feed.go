package tracefs

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/tracec/tracec/runtime/record"
)

// A feed reads the sub-buffers of an instance, and reads ahead while records wait. It is for the
// goroutine of the merge. Close of the instance may be called by another goroutine.
type feed struct {
	in     *Instance
	mu     sync.Mutex // held while files are in use
	closed bool
	cpus   map[int]*cpuBuffer
	order  []*cpuBuffer
	live   record.Live
	ahead  int64 // bytes of all blocks that have not been delivered
	poll   []pollFd
}

// cpuBuffer is the buffer of a processor.
type cpuBuffer struct {
	id    int
	file  string
	fd    int
	ready []block // not delivered
	given []byte  // delivered; freed by the next call
	spare [][]byte
}

// A block holds sub-buffers that were read together.
type block struct {
	data []byte
	seen time.Time
}

// blockSize is the size of a block, if that many bytes are available. It fits in the second-level
// cache.
const blockSize = 128 << 10

func newFeed(in *Instance) (*feed, error) {
	f := &feed{in: in, cpus: map[int]*cpuBuffer{}}
	f.live.Delay, f.live.Wait = in.config.Delay, f.wait
	for _, id := range in.cpus {
		c := &cpuBuffer{id: id, file: filepath.Join(in.dir, fmt.Sprintf("per_cpu/cpu%d/trace_pipe_raw", id))}
		fd, err := openRaw(c.file)
		if err != nil {
			f.close()
			return nil, &os.PathError{Op: "open", Path: c.file, Err: err}
		}
		c.fd = fd
		f.cpus[id] = c
		f.order = append(f.order, c)
	}
	f.poll = make([]pollFd, len(f.order)+1)
	return f, nil
}

// close closes the files. Walks end.
func (f *feed) close() {
	f.in.wake.wake()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, c := range f.order {
		closeRaw(c.fd)
	}
}

// CPUs implements ftrace.Feed.
func (f *feed) CPUs() []int { return f.in.CPUs() }

// Live implements ftrace.Feed.
func (f *feed) Live() *record.Live { return &f.live }

// Next implements ftrace.Feed.
func (f *feed) Next(cpu int) ([]byte, time.Time, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.cpus[cpu]
	if c.given != nil {
		c.spare = append(c.spare, c.given[:0])
		c.given = nil
	}
	if f.closed {
		return nil, time.Time{}, io.EOF
	}
	if len(c.ready) == 0 {
		now := time.Now()
		last := f.in.ended(now)
		if err := f.fill(c); err != nil {
			return nil, time.Time{}, err
		}
		if len(c.ready) == 0 && last {
			return nil, time.Time{}, io.EOF
		}
		if len(c.ready) == 0 {
			return nil, time.Time{}, record.ErrPending
		}
	}
	b := c.ready[0]
	c.ready = slices.Delete(c.ready, 0, 1)
	c.given = b.data
	f.ahead -= int64(len(b.data))
	return b.data, b.seen, nil
}

// fill reads one block of a processor's data.
func (f *feed) fill(c *cpuBuffer) error {
	size := f.in.pageSize
	var data []byte
	if n := len(c.spare); n > 0 {
		data, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		data = make([]byte, 0, max(size, blockSize/size*size))
	}
	for len(data)+size <= cap(data) {
		n, err := readRaw(c.fd, data[len(data):len(data)+size])
		if err != nil && !again(err) {
			return &os.PathError{Op: "read", Path: c.file, Err: err}
		}
		if err != nil || n == 0 {
			break
		}
		// The kernel delivers whole sub-buffers. Bytes after the committed ones have no meaning.
		clear(data[len(data)+n : len(data)+size])
		data = data[:len(data)+size]
	}
	if len(data) == 0 {
		c.spare = append(c.spare, data)
		return nil
	}
	c.ready = append(c.ready, block{data, time.Now()})
	f.ahead += int64(len(data))
	return nil
}

// wait is Live.Wait. It sleeps until a buffer is half full, or for d, and then reads the available
// data, within the limit for reading ahead.
func (f *feed) wait(d time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	full := f.ahead >= f.in.config.Ahead
	if err := f.sleep(d, full); err != nil {
		return err
	}
	for _, c := range f.order {
		for !f.closed && f.ahead < f.in.config.Ahead {
			before := f.ahead
			if err := f.fill(c); err != nil {
				return err
			}
			if f.ahead-before < int64(max(f.in.pageSize, blockSize/f.in.pageSize*f.in.pageSize)) {
				break
			}
		}
	}
	return nil
}

// sleep waits for d, or until a buffer can be read. If full is set, it does not wait for buffers.
func (f *feed) sleep(d time.Duration, full bool) error {
	f.poll[0] = pollFd{fd: int32(f.in.wake.fd()), events: pollIn}
	n := 1
	for _, c := range f.order {
		if !full {
			f.poll[n] = pollFd{fd: int32(c.fd), events: pollIn}
			n++
		}
	}
	fds := f.poll[:n]
	f.mu.Unlock()
	defer f.mu.Lock()
	if f.in.stopped.Load() != 0 {
		time.Sleep(min(d, settling/2))
		return nil
	}
	begin := time.Now()
	if err := poll(fds, d); err != nil {
		return fmt.Errorf("poll of %s: %w", f.in.dir, err)
	}
	// Kernels before 5.0 do not have buffer_percent, so there is always something to read.
	if waited := time.Since(begin); waited < leastSleep {
		time.Sleep(min(leastSleep, d) - min(waited, d))
	}
	return nil
}

// leastSleep bounds the frequency of reads.
const leastSleep = 2 * time.Millisecond
