package command

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/tracec/tracec/internal/input"
)

// quoteNames returns the writer of messages for a command line. It is w, or a writer that escapes
// newlines in names of the command line, so that a message stays on its line. It also recognizes
// names with other endings, such as NAME.undo.trc.
func quoteNames(w io.Writer, args []string) io.Writer {
	var pairs []string
	for i, arg := range args {
		if !strings.ContainsFunc(arg, isBreak) || isFilter(args, i) {
			continue
		}
		for part := range strings.SplitSeq(arg, "/") {
			for _, name := range []string{part, strings.TrimSuffix(part, path.Ext(part))} {
				if last := strings.LastIndexFunc(name, isBreak); last < 0 {
					continue
				} else if last < len(name)-1 {
					pairs = append(pairs, name, input.Shown(name))
					continue
				}
				// A newline alone may be the end of a line of the message.
				for _, end := range []string{":", " ", "/", "'"} {
					pairs = append(pairs, name+end, input.Shown(name)+end)
				}
			}
		}
	}
	if pairs == nil {
		return w
	}
	return &quoted{w, strings.NewReplacer(pairs...)}
}

// isFilter reports whether an argument is the text of a filter. Messages show lines of filters
// unchanged.
func isFilter(args []string, i int) bool {
	return strings.HasPrefix(args[i], "-F") || strings.HasPrefix(args[i], "--filter") ||
		i > 0 && (args[i-1] == "-F" || args[i-1] == "--filter")
}

func isBreak(c rune) bool { return c == '\n' || c == '\r' }

// quoted escapes names in messages. Each Write is one message.
type quoted struct {
	w     io.Writer
	names *strings.Replacer
}

func (q *quoted) Write(p []byte) (int, error) {
	if !bytes.ContainsFunc(p, isBreak) {
		return q.w.Write(p)
	}
	if _, err := q.names.WriteString(q.w, string(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}
