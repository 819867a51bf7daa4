package command

import (
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// output is standard output that is no terminal. It keeps the first error, so that none is lost,
// also of what does not look at errors, such as printing a help.
type output struct {
	io.Writer
	err     error
	written atomic.Int64
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(p)
	o.written.Add(int64(n))
	o.err = err
	return n, err
}

// isFile reports whether the output goes to a file or a device that is no terminal.
func isFile(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0
}
