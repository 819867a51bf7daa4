package exports

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"golang.org/x/term"

	"github.com/tracec/tracec/export/sql"
	"github.com/tracec/tracec/report/style"
)

// shellHelp is the text of .help.
const shellHelp = `A query ends with ; and may have several lines.
.tables [GLOB]  list the tables, such as .tables sched_*
.schema TABLE   list the columns of a table
.help           print this
.quit           end, as does Ctrl-D
`

// shell answers queries from lines. It continues after a query that fails.
func (s *sqlSession) shell(in io.Reader) error {
	out := s.cmd.OutOrStdout()
	f, ok := in.(*os.File)
	interactive := ok && term.IsTerminal(int(f.Fd()))
	prompt := func(text string) {
		if interactive {
			io.WriteString(s.cmd.ErrOrStderr(), text)
		}
	}
	prompt("A query ends with ;  .help lists commands.\n")
	failed := false
	query := ""
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for prompt("sql> "); lines.Scan(); prompt(promptOf(query)) {
		line := lines.Text()
		if query == "" && strings.HasPrefix(strings.TrimSpace(line), ".") {
			quit, err := s.dot(out, strings.Fields(line))
			if quit {
				return nil
			}
			failed = s.say(err) || failed
			continue
		}
		if query += line + "\n"; strings.TrimSpace(query) == "" {
			query = ""
		}
		if sql.Complete(query) {
			failed = s.say(s.answer(query)) || failed
			query = ""
		}
		if err := s.cmd.Context().Err(); err != nil {
			return err
		}
	}
	if strings.TrimSpace(query) != "" {
		failed = s.say(s.answer(query)) || failed
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if failed && !interactive {
		return errors.New("a query failed")
	}
	return nil
}

// promptOf returns the prompt for the next line.
func promptOf(query string) string {
	if query == "" {
		return "sql> "
	}
	return "...> "
}

// say prints an error of a query. It reports whether there is one.
func (s *sqlSession) say(err error) bool {
	if err != nil && s.cmd.Context().Err() == nil {
		fmt.Fprintln(s.cmd.ErrOrStderr(), "tracec: "+err.Error())
	}
	return err != nil
}

// dot runs a command of the shell.
func (s *sqlSession) dot(out io.Writer, words []string) (quit bool, err error) {
	switch {
	case words[0] == ".quit" || words[0] == ".exit":
		return true, nil
	case words[0] == ".help":
		_, err = io.WriteString(out, shellHelp)
	case words[0] == ".tables":
		return false, s.printNames(out, strings.Join(words[1:], " "))
	case words[0] == ".schema" && len(words) > 1:
		name := strings.Join(words[1:], " ")
		t, ok := s.db.Table(name)
		if !ok {
			return false, fmt.Errorf("no table %s; .tables lists them", name)
		}
		err = s.printTable(out, t)
	default:
		err = fmt.Errorf("%s: no such command, or it lacks a name; .help lists commands", words[0])
	}
	return false, err
}

// printNames prints the names of tables that match a glob.
func (s *sqlSession) printNames(out io.Writer, glob string) error {
	for _, t := range s.db.Tables() {
		match, err := path.Match(cmp.Or(glob, "*"), t.Name)
		if match {
			_, err = fmt.Fprintln(out, t.Name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printSchema prints all tables.
func (s *sqlSession) printSchema() error {
	out := s.cmd.OutOrStdout()
	for i, t := range s.db.Tables() {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := s.printTable(out, t); err != nil {
			return err
		}
	}
	return s.cmd.Context().Err()
}

// printTable prints a table with its columns.
func (s *sqlSession) printTable(out io.Writer, t sql.Table) error {
	columns, err := t.Columns(s.cmd.Context())
	if err != nil {
		return err
	}
	head := t.Doc
	if t.Event != "" {
		head = strings.TrimSpace("event " + t.Event + " " + head)
	}
	paint := s.jobs[0].Style
	if _, err := fmt.Fprintf(out, "%s  %s\n", paint.Paint(style.Event, t.Name), head); err != nil {
		return err
	}
	width := 0
	for _, c := range columns {
		width = max(width, len([]rune(c.Name)))
	}
	for _, c := range columns {
		line := fmt.Sprintf("  %-*s  %-7s  %s", width, c.Name, c.Type, c.Doc)
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}
