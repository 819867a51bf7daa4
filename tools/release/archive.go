package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"path"
	"slices"
	"strings"
	"time"
)

// file is a member of an archive.
type file struct {
	name    string
	content []byte
	mode    int64
}

// sorted gives archives the same order every time.
func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// epoch is the time of all members: archives hold no date of their making. It is the first that zip
// can say.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func tarred(dir string, files []file) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	t := tar.NewWriter(z)
	for _, f := range sorted(files) {
		h := &tar.Header{Name: path.Join(dir, f.name), Mode: f.mode, Size: int64(len(f.content)), ModTime: epoch,
			Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func zipped(dir string, files []file) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range sorted(files) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: path.Join(dir, f.name), Method: zip.Deflate, Modified: epoch})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
