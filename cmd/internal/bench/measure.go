package main

import (
	"io"
	"os"
)

// Names that the table refers to.
const (
	plainRead = "sequential read"
	typedTime = "typed decode, time order"
	typedCPU  = "typed decode, CPU order"
	pageWalk  = "page walk"
)

// measurements in the order of the table.
var measurements = []measurement{
	{plainRead, "1 MiB blocks, nothing else", readPlain},
}

// readPlain reads the file as fast as the system hands it out: the floor under everything else.
func readPlain(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for {
		if _, err := f.Read(buf); err == io.EOF {
			return 0, nil
		} else if err != nil {
			return 0, err
		}
	}
}
