package parquet

import "github.com/tracec/tracec/internal/spool"

// spill holds pieces in a temporary file, for recordings with so many event types that no table has
// enough rows for a row group. The file is unnamed if the system supports that.
type spill struct {
	dir  string
	file *spool.File
	end  int64
}

// extent is the place of a piece in the file.
type extent struct {
	at   int64
	size int
}

// put writes a piece.
func (s *spill) put(data []byte) (extent, error) {
	if s.file == nil {
		f, err := spool.New(s.dir)
		if err != nil {
			return extent{}, err
		}
		s.file = f
	}
	x := extent{s.end, len(data)}
	_, err := s.file.WriteAt(data, s.end)
	s.end += int64(len(data))
	return x, err
}

// read reads a piece. Any goroutine may call it.
func (s *spill) read(x extent, data []byte) error {
	_, err := s.file.ReadAt(data, x.at)
	return err
}

// close removes the file.
func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
