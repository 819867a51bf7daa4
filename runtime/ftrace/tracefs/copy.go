package tracefs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tracec/tracec/runtime/ftrace"
)

// A Copy records an instance to a directory laid out as tracefs, which ftrace.Open can read at any
// time. If the process is killed, the copy is complete up to the last whole sub-buffer. Where
// splice is available, sub-buffers go from the kernel to the files without passing through the
// memory of the process.
type Copy struct {
	in   *Instance
	rec  *ftrace.Recording
	dir  string
	once sync.Once
	err  error // the first error that ended the recording
}

// NewCopy creates a directory, which must not exist. It writes the descriptions of the enabled
// events and of the ring buffer's own events. rec has read these descriptions: Open of the instance
// returned it. rec must not be walked meanwhile.
func (in *Instance) NewCopy(dir string, rec *ftrace.Recording) (*Copy, error) {
	c := &Copy{in: in, rec: rec, dir: dir}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	if err := c.describe(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return c, nil
}

// describe writes everything but the data.
func (c *Copy) describe() error {
	info := c.rec.Info()
	texts := map[string]string{
		"events/header_page": info.HeaderPage, "events/header_event": info.HeaderEvent, "uname": info.Uname,
		"trace_clock":    c.in.read("trace_clock"),
		"printk_formats": c.rec.PrintkFormats(), "saved_cmdlines": c.rec.Cmdlines(),
	}
	for _, boot := range info.LastBootInfo { // at most one; the file is shorter once something is recorded
		_, texts["last_boot_info"], _ = strings.Cut(boot, ":")
		texts["modules"] = info.Modules
	}
	on := c.in.enabled()
	for _, f := range c.rec.Formats() {
		if f.System != "ftrace" && !on[f.System+":"+f.Name] {
			continue // writing two thousand files takes longer than everything else
		}
		texts["events/"+f.System+"/"+f.Name+"/format"] = f.Text
	}
	for name, text := range texts {
		if err := c.write(name, text); err != nil {
			return err
		}
	}
	return c.symbols()
}

// symbols copies the symbols, which take megabytes. Reading them may need privileges.
func (c *Copy) symbols() error {
	from, err := tree{c.in}.Open("kallsyms")
	if err != nil {
		return nil
	}
	defer from.Close()
	to, err := os.Create(filepath.Join(c.dir, "kallsyms"))
	if err != nil {
		return err
	}
	_, err = io.Copy(struct{ io.Writer }{to}, struct{ io.Reader }{from}) // copy_file_range does not work for /proc
	return errors.Join(err, to.Close())
}

// write writes a file of the directory.
func (c *Copy) write(name, text string) error {
	name = filepath.Join(c.dir, filepath.FromSlash(name))
	err := os.WriteFile(name, []byte(text), 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(name), 0o777); err == nil {
			err = os.WriteFile(name, []byte(text), 0o666)
		}
	}
	return err
}

// replace replaces a file atomically.
func (c *Copy) replace(name, text string) error {
	if err := c.write(name+".new", text); err != nil {
		return err
	}
	name = filepath.Join(c.dir, filepath.FromSlash(name))
	return os.Rename(name+".new", name)
}

// Run copies the data of the processors until the recording is stopped and all recorded data are
// copied. An error stops the recording. The data written before it can be read.
func (c *Copy) Run() error {
	var copying sync.WaitGroup
	for _, cpu := range c.in.cpus {
		copying.Go(func() {
			if err := c.processor(cpu); err != nil {
				c.fail(err)
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		copying.Wait()
		close(ended)
	}()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for done := false; !done; {
		select {
		case <-ended:
			done = true
		case <-ticker.C:
		}
		if err := c.replace("saved_cmdlines", c.rec.Cmdlines()); err != nil {
			c.fail(err)
		}
	}
	for _, s := range c.in.Stats() {
		if err := c.write(fmt.Sprintf("per_cpu/cpu%d/stats", s.CPU), s.Text); err != nil {
			c.fail(err)
		}
	}
	return c.err
}

// fail stops the recording.
func (c *Copy) fail(err error) {
	c.once.Do(func() {
		c.err = err
		c.in.Stop()
	})
}

// copyEvery is the interval at which a processor is read whose buffer is not half full. If the
// process is killed, only the data recorded since the last read are lost.
const copyEvery = 200 * time.Millisecond

// processor copies the data of a processor.
func (c *Copy) processor(cpu int) error {
	name := fmt.Sprintf("per_cpu/cpu%d/trace_pipe_raw", cpu)
	if err := c.write(name, ""); err != nil {
		return err
	}
	out, err := os.OpenFile(filepath.Join(c.dir, filepath.FromSlash(name)), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	fd, err := openRaw(filepath.Join(c.in.dir, name))
	if err != nil {
		return errors.Join(&os.PathError{Op: "open", Path: filepath.Join(c.in.dir, name), Err: err}, out.Close())
	}
	p := &pump{in: c.in, fd: fd, out: out, buf: make([]byte, c.in.pageSize)}
	err = p.run()
	return errors.Join(err, p.close())
}

// A pump copies the sub-buffers of a processor to a file.
type pump struct {
	in    *Instance
	fd    int
	out   *os.File
	buf   []byte
	size  int64 // of the file, in whole sub-buffers
	pipe  [2]int
	piped bool // sub-buffers go through the pipe
}

func (p *pump) run() error {
	p.piped = openPipe(&p.pipe) == nil
	fds := []pollFd{{fd: int32(p.fd), events: pollIn}, {fd: int32(p.in.wake.fd()), events: pollIn}}
	for {
		last := p.in.ended(time.Now())
		n, err := p.drain(last)
		if err != nil || last {
			return err
		}
		switch {
		case p.in.stopped.Load() != 0:
			time.Sleep(settling / 2)
		case n == 0:
			time.Sleep(leastSleep) // a readable buffer may be without a whole sub-buffer
			fallthrough
		default:
			if err := poll(fds, copyEvery); err != nil {
				return fmt.Errorf("poll of %s: %w", p.in.dir, err)
			}
		}
	}
}

// drain copies all whole sub-buffers, and at the end the incomplete one. It returns the number of
// bytes.
func (p *pump) drain(last bool) (sum int64, err error) {
	for p.piped {
		n, err := p.splice()
		sum += n
		if err != nil {
			return sum, err
		}
		if n == 0 {
			break
		}
	}
	for last || !p.piped {
		n, err := readRaw(p.fd, p.buf)
		if err != nil && !again(err) {
			return sum, &os.PathError{Op: "read", Path: p.out.Name(), Err: err}
		}
		if err != nil || n <= 0 {
			break
		}
		clear(p.buf[n:])
		if _, err := p.out.Write(p.buf); err != nil {
			return sum, err
		}
		p.size += int64(len(p.buf))
		sum += int64(n)
	}
	return sum, nil
}

// splice moves sub-buffers through the pipe. It returns 0 if there is no whole sub-buffer.
func (p *pump) splice() (int64, error) {
	n, err := spliceRaw(p.fd, p.pipe[1], maxSplice/len(p.buf)*len(p.buf))
	switch {
	case err != nil && again(err), err == nil && n <= 0:
		return 0, nil
	case err != nil: // not supported by this kernel
		p.piped = false
		return 0, nil
	}
	for left := n; left > 0; {
		m, err := spliceRaw(p.pipe[0], int(p.out.Fd()), int(left))
		if err != nil && again(err) {
			continue
		}
		if err != nil {
			return 0, &os.PathError{Op: "write", Path: p.out.Name(), Err: err}
		}
		left -= m
	}
	p.size += n
	return n, nil
}

// maxSplice is the number of bytes moved through the pipe at once.
const maxSplice = 1 << 20

// close closes the files. If a write has failed, it removes the incomplete sub-buffer.
func (p *pump) close() error {
	closeRaw(p.fd)
	if p.pipe[0] > 0 {
		closeRaw(p.pipe[0])
		closeRaw(p.pipe[1])
	}
	var errs []error
	if st, err := p.out.Stat(); err == nil && st.Size() != p.size {
		errs = append(errs, p.out.Truncate(st.Size()/int64(len(p.buf))*int64(len(p.buf))))
	}
	return errors.Join(append(errs, p.out.Close())...)
}
