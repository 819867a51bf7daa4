package exports

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/sql"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

// sqlOptions are the options of tracec sql.
type sqlOptions struct {
	csv, schema bool
	parquet     string
}

func newSQL() *cobra.Command {
	var o sqlOptions
	cmd := &cobra.Command{
		Use:  "sql",
		Args: command.Some("recording", `tracec sql FILE "select * from events limit 10"`),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.csv, "csv", false, "print CSV")
	f.StringVar(&o.parquet, "parquet", "", "write the rows to a Parquet `FILE`")
	f.BoolVar(&o.schema, "schema", false, "print the tables and their columns")
	command.OutputFlags(cmd, command.LimitPart, command.JSONPart)
	command.RecordingFlags(cmd)
	return cmd
}

// splitQuery returns the recordings and the query of a command line. The query is the last of
// several arguments, unless that is a file.
func splitQuery(args []string) (files []string, query string) {
	last := len(args) - 1
	if last == 0 {
		return args, ""
	}
	if _, err := os.Stat(args[last]); err == nil {
		return args, ""
	}
	return args[:last], args[last]
}

func (o *sqlOptions) run(cmd *cobra.Command, args []string) (err error) {
	files, query := splitQuery(args)
	json := command.AsJSON(cmd)
	switch {
	case slices.Contains(files, "-"):
		return report.Usagef("SQL reads recordings several times, not standard input")
	case o.csv && json || o.csv && o.parquet != "" || json && o.parquet != "":
		return report.Usagef("one of --csv, --json and --parquet")
	case o.schema && (query != "" || o.csv || json || o.parquet != ""):
		return report.Usagef("--schema: without a query, as text")
	case query == "" && !o.schema && (json || o.parquet != ""):
		return report.Usagef("which query? tracec sql FILE %q", "select * from events limit 10")
	}
	if o.parquet != "" {
		if err := command.KeepInputs(cmd, "--parquet", o.parquet, files...); err != nil {
			return err
		}
	}
	s := &sqlSession{cmd: cmd, options: o}
	if err := s.open(cmd.Context(), files); err != nil {
		return errors.Join(s.close(), err)
	}
	defer func() { err = errors.Join(err, s.close()) }()
	switch {
	case o.schema:
		return s.printSchema()
	case query == "":
		return s.shell(cmd.InOrStdin())
	}
	return s.answer(query)
}

// sqlSession is a database of open recordings.
type sqlSession struct {
	cmd     *cobra.Command
	options *sqlOptions
	db      *sql.Database
	jobs    []*report.Job
	choices []*report.Choice
}

// open opens the recordings and the database.
func (s *sqlSession) open(ctx context.Context, files []string) (err error) {
	var sources []sql.Source
	var memory int64
	for _, path := range files {
		if path == "" {
			return report.Usagef("the name of the recording is empty")
		}
		job := command.NewJob(s.cmd, path)
		c, err := job.Choose(ctx, &report.Options{})
		if err != nil {
			return job.Finish(err)
		}
		s.jobs, s.choices = append(s.jobs, job), append(s.choices, c)
		memory = job.Memory
		sources = append(sources, sql.Source{Name: path,
			Open: func(within record.Options, more ...tracec.Option) (*tracec.Reader, error) {
				return c.Reader(within, more...)
			}})
	}
	s.db, err = sql.Open(ctx, sources, sql.Options{Memory: memory, Warn: func(err error) { s.jobs[0].Warn(err) }})
	return err
}

// close closes the database and the recordings, and reports their damage.
func (s *sqlSession) close() (err error) {
	if s.db != nil {
		err = s.db.Close()
	}
	for i, c := range s.choices {
		job := s.jobs[i]
		told := report.Tell(job, c.Recording, nil)
		err = errors.Join(err, job.Finish(errors.Join(told, c.Recording.Close())))
	}
	return err
}

// answer prints the answer to a query.
func (s *sqlSession) answer(query string) error {
	rows := s.rows(s.cmd.OutOrStdout())
	limit, _ := command.Limit(s.cmd)
	limited := &limitedRows{answer: rows, left: limit}
	if limit <= 0 {
		limited.left = -1
	}
	err := s.db.Query(s.cmd.Context(), query, limited)
	if errors.Is(err, errLimit) {
		err = nil
	}
	if wrong := new(sql.QueryError); errors.As(err, &wrong) {
		err = &report.UsageError{Err: err}
	}
	return rows.end(limited.limited, err)
}

// answer is an output format for rows.
type answer interface {
	sql.Rows
	// end ends the output after all rows, or after an error. It returns that error, or its own.
	end(limited bool, err error) error
}

// rows returns the output format of the options.
func (s *sqlSession) rows(w io.Writer) answer {
	switch {
	case s.options.csv:
		return newCSVRows(w)
	case command.AsJSON(s.cmd):
		return newJSONRows(w)
	case s.options.parquet != "":
		return &parquetRows{cmd: s.cmd, path: s.options.parquet}
	}
	return newTableRows(w, s.jobs[0].Style)
}

// errLimit ends a query after the maximum number of rows.
var errLimit = errors.New("limit")

// limitedRows passes a limited number of rows on.
type limitedRows struct {
	answer
	left    int64 // -1 for no limit
	limited bool
}

// Row implements sql.Rows.
func (l *limitedRows) Row(values []any) error {
	if l.left == 0 {
		l.limited = true
		return errLimit
	}
	if l.left > 0 {
		l.left--
	}
	return l.answer.Row(values)
}
