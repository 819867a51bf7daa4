// Ceiling writes made-up rows with parquet-go's writer for rows of one Go type. It measures the
// library's speed for columns that are known in advance. The benchmark uses it.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// row has approximately the columns of sched_switch.
type row struct {
	Time     int64  `parquet:"time,delta"`
	CPU      int32  `parquet:"cpu"`
	Task     int32  `parquet:"task"`
	Comm     string `parquet:"comm,dict"`
	NextComm string `parquet:"next_comm,dict"`
	PrevPrio int32  `parquet:"prev_prio"`
	Prev     int64  `parquet:"prev_state"`
	Next     int32  `parquet:"next_pid"`
	NextPrio int32  `parquet:"next_prio"`
}

func main() {
	rows := flag.Int("rows", 1_000_000, "`number` of rows")
	out := flag.String("o", "", "`FOLDER` to write a file of each processor to")
	flag.Parse()
	if err := os.MkdirAll(*out, 0o777); err != nil {
		fail(err)
	}
	n := runtime.GOMAXPROCS(0)
	var writers sync.WaitGroup
	for i := range n {
		writers.Go(func() {
			if err := write(fmt.Sprintf("%s/%d.parquet", *out, i), *rows/n); err != nil {
				fail(err)
			}
		})
	}
	writers.Wait()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "ceiling:", err)
	os.Exit(1)
}

// write writes a file of n rows.
func write(name string, n int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := parquet.NewGenericWriter[row](f, parquet.Compression(&zstd.Codec{}), parquet.MaxRowsPerRowGroup(1<<18))
	names := [...]string{"swapper/0", "bash", "kworker/0:1", "sshd", "systemd", "node", "cc1", "ld"}
	list := make([]row, 1024)
	state := uint64(1)
	for done := 0; done < n; done += len(list) {
		for i := range list {
			state = state*6364136223846793005 + 1442695040888963407
			r := uint32(state >> 33)
			list[i] = row{
				Time: int64(done+i)*1500 + int64(r%1000), CPU: int32(r & 3), Task: int32(r >> 8 & 255),
				Comm: names[r&7], NextComm: names[r>>3&7],
				PrevPrio: 120, Prev: int64(r & 1), Next: int32(r >> 16 & 255), NextPrio: 120,
			}
		}
		if _, err := w.Write(list[:min(len(list), n-done)]); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}
