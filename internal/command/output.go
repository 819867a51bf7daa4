package command

import (
	"io"
	"io/fs"
	"os"
	"sync/atomic"
)

// output is standard output that is not a terminal. It keeps the first error, since some callers
// ignore errors, such as those of printing a help.
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

// isFile reports whether the output is a file or a device other than a terminal.
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
