package sql_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/sql"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
)

func TestMain(m *testing.M) { needs.Main(m) }

const syscalls = "../../testdata/ftrace/amd64-syscalls.dat"

// source is a recording that counts its readers.
type source struct {
	sql.Source
	opened []record.Options
	reader *tracec.Reader // the last reader
}

// open opens a recording.
func open(t testing.TB, path string) *source {
	t.Helper()
	rec, err := tracec.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return of(path, rec)
}

func of(name string, rec record.Recording) *source {
	s := &source{}
	s.Source = sql.Source{Name: name, Open: func(within record.Options, more ...tracec.Option) (*tracec.Reader, error) {
		s.opened = append(s.opened, within)
		var err error
		s.reader, err = tracec.NewReader(rec, append(more, tracec.WithRecords(within))...)
		return s.reader, err
	}}
	return s
}

// database is an open database of sources, with its warnings.
type database struct {
	*sql.Database
	warned []string
}

func newDatabase(t testing.TB, o sql.Options, sources ...*source) *database {
	t.Helper()
	var list []sql.Source
	for _, s := range sources {
		list = append(list, s.Source)
	}
	db := &database{}
	o.Warn = func(err error) { db.warned = append(db.warned, err.Error()) }
	var err error
	if db.Database, err = sql.Open(t.Context(), list, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// answer holds the rows of an answer as texts.
type answer struct {
	heads []string
	rows  [][]string
	most  int // rows after which it stops with errEnough; 0 means all
}

var errEnough = fmt.Errorf("enough")

func (a *answer) Columns(names []string) error {
	a.heads = names
	return nil
}

func (a *answer) Row(values []any) error {
	var row []string
	for _, v := range values {
		row = append(row, cell(v))
	}
	a.rows = append(a.rows, row)
	if len(a.rows) == a.most {
		return errEnough
	}
	return nil
}

func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	}
	return fmt.Sprint(v)
}

// ask returns the answer to a query as lines.
func (db *database) ask(t testing.TB, query string) []string {
	t.Helper()
	lines, err := db.try(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return lines
}

func (db *database) try(ctx context.Context, query string) (lines []string, err error) {
	var a answer
	err = db.Query(ctx, query, &a)
	for _, row := range a.rows {
		lines = append(lines, strings.Join(row, "|"))
	}
	return lines, err
}

// is checks an answer of one row and one column.
func (db *database) is(t testing.TB, query, want string) {
	t.Helper()
	if got := db.ask(t, query); !slices.Equal(got, strings.Split(want, "\n")) {
		t.Errorf("%s:\n%q\nwant %q", query, got, want)
	}
}
