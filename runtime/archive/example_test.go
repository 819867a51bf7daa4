package archive_test

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log"

	"github.com/tracec/tracec/runtime/archive"
)

// The files of an archive are read in place.
func ExampleIndex() {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range []string{"app.data/info", "app.data/1.dat"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: 4, Mode: 0o644}); err != nil {
			log.Fatal(err)
		}
		fmt.Fprint(w, "data")
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	dir := archive.Index(context.Background(), "app.tar", bytes.NewReader(b.Bytes()), int64(b.Len()), nil)
	err := fs.WalkDir(dir, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			fmt.Println(name)
		}
		return err
	})
	fmt.Println(err, dir.DamageStats().Count)
	// Output:
	// app.data/1.dat
	// app.data/info
	// <nil> 0
}
