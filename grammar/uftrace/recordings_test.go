package uftrace

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordings checks that all enums of the saved recordings are parsed without errors.
func TestRecordings(t *testing.T) {
	list, err := filepath.Glob("../../testdata/uftrace/*/data.tar.gz")
	if err != nil || len(list) < 25 {
		t.Fatalf("%d recordings, %v", len(list), err)
	}
	count := map[string]int{}
	for _, archive := range list {
		eachFile(t, archive, func(name string, text []byte) {
			switch {
			case filepath.Base(name) == "info":
				infoTexts(t, text, count)
			case strings.HasSuffix(name, ".dbg"):
				debugTexts(t, text, count)
			}
		})
	}
	t.Log(count)
	for what, least := range map[string]int{"enums": 140} {
		if count[what] < least {
			t.Errorf("%d %s, want %d or more", count[what], what, least)
		}
	}
}

func eachFile(t *testing.T, archive string, f func(name string, text []byte)) {
	t.Helper()
	data, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	z, err := gzip.NewReader(data)
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		f(h.Name, text)
	}
}

func infoTexts(t *testing.T, info []byte, count map[string]int) {
	t.Helper()
	for line := range bytes.Lines(info) {
		key, value, _ := strings.Cut(strings.TrimRight(string(line), "\n"), ":")
		switch key {
		case "enumauto":
			enums, errs := ParseEnums(key, value)
			if errs != nil {
				t.Error(errs)
			}
			count["enums"] += len(enums)
		}
	}
}

func debugTexts(t *testing.T, text []byte, count map[string]int) {
	t.Helper()
	for line := range bytes.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimRight(string(line), "\n"), ": ")
		switch key {
		case "E":
			if _, errs := ParseEnums("dbg", value); errs != nil {
				t.Error(errs)
			}
			count["enums"]++
		}
	}
}
