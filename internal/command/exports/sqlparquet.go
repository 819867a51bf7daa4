package exports

import (
	"github.com/spf13/cobra"

	"github.com/tracec/tracec/export/parquet"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/internal/fileset"
)

// parquetRows writes a Parquet file.
type parquetRows struct {
	cmd  *cobra.Command
	path string
	file *fileset.Pending
	rows *parquet.Rows
	n    int64
}

// Columns implements sql.Rows.
func (p *parquetRows) Columns(names []string) (err error) {
	p.file, err = fileset.Stage(p.path)
	if err == nil {
		p.rows = parquet.NewRows(p.file, names)
	}
	return err
}

// Row implements sql.Rows.
func (p *parquetRows) Row(values []any) error {
	p.n++
	return p.rows.Add(values)
}

func (p *parquetRows) end(_ bool, err error) error {
	if p.file == nil {
		return err
	}
	if err == nil {
		err = p.rows.Close()
	}
	if err != nil {
		p.file.Discard()
		return err
	}
	if err := p.file.Commit(); err != nil {
		return err
	}
	command.SayWrote(p.cmd, p.path, command.Amount(p.n, "row"))
	return nil
}
