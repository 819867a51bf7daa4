package parquet

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tracec/tracec/internal/fileset"
)

// RecordingsName is the name of the table of recordings in the folder of a data set. It is not
// Parquet, so that patterns such as traces/**/*.parquet match only events.
const RecordingsName = "recordings.csv"

// writeRecordings writes a row for each source, for joins with the column recording.
func (m *Manifest) writeRecordings(dir string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(strings.Fields("recording path chosen host system release arch clock ticks rows " +
		"first last begin end lost lost_unknown damage errors"))
	for _, e := range m.Sources {
		first, last, begin, end := "", "", "", ""
		if e.First != nil {
			first, last = strconv.FormatUint(*e.First, 10), strconv.FormatUint(*e.Last, 10)
		}
		if e.First != nil && e.Wall != nil {
			begin, end = wallText(*e.First, *e.Wall), wallText(*e.Last, *e.Wall)
		}
		w.Write([]string{
			e.ID, e.Path, e.Chosen, e.Host, e.System, e.Release, e.Arch, e.Clock,
			strconv.FormatBool(e.Ticks), strconv.FormatInt(e.Rows, 10),
			first, last, begin, end, strconv.FormatInt(e.Lost.Events, 10), strconv.FormatInt(e.Lost.Unknown, 10),
			strconv.FormatInt(e.Damage.Count, 10), strings.Join(e.Errors, "; "),
		})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return fileset.Replace(filepath.Join(dir, RecordingsName), b.Bytes())
}

// wallText formats a wall-clock time as an SQL TIMESTAMP.
func wallText(t uint64, wall int64) string {
	return time.Unix(0, int64(t)+wall).UTC().Format("2006-01-02 15:04:05.000000000")
}
