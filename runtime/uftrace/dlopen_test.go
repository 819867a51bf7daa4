package uftrace_test

import (
	"fmt"
	"testing"
	"testing/fstest"
)

// TestLibraryOfDlopen has the files that uftrace 0.19 leaves for a program that opens ./libplug.so.
// The .sym file has the path that was passed to dlopen, the .dbg file the whole path, and both have
// the build id.
func TestLibraryOfDlopen(t *testing.T) {
	files := load(t, "dlopen")
	const id = "e15ab804edc01a5136800b6e887434ec8803691a"
	files["libplug.so.sym"] = &fstest.MapFile{Data: []byte("# symbols: 2\n# path name: ./libplug.so\n# build-id: " +
		id +
		"\n0000000000001109 0000001c T plug_inner\n0000000000001125 0000003b T plug_entry\n")}
	debug := "# path name: /srv/demo/libplug.so\n# build-id: " + id +
		"\nF: 1109 plug_inner\nL: 1 libplug.c\nA: @arg1\nR: @retval\nF: 1125 plug_entry\nL: 2 libplug.c\nA: @arg1,arg2/s\nR: @retval\n"
	const want = "[arg1/d64 arg2/s]"
	// the first digits of the id distinguish namesakes
	for _, name := range []string{"libplug.so-e15a.dbg", "libplug.so.dbg"} {
		delete(files, "libplug.so-e15a.dbg")
		files[name] = &fstest.MapFile{Data: []byte(debug)}
		found := false
		for _, s := range open(t, files).Symbols() {
			if s.Simple != "plug_entry" || s.Module.Name != "libplug.so" {
				continue
			}
			found = true
			if got := fmt.Sprint(s.Args); got != want {
				t.Errorf("%s: arguments %q, want %q", name, got, want)
			}
			if fmt.Sprint(s.Results) != "[retval/d64]" || s.File != "libplug.c" {
				t.Errorf("%s: result %q, file %q", name, fmt.Sprint(s.Results), s.File)
			}
		}
		if !found {
			t.Fatal("no plug_entry")
		}
	}
	// Another file with the same name is not used.
	files = load(t, "dlopen")
	files["libplug.so.dbg"] = &fstest.MapFile{Data: []byte("# path name: ./libplug.so\n# build-id: 00" + id[2:] +
		"\nF: 1125 plug_entry\nA: @arg1\n")}
	files["libplug.so.sym"] = &fstest.MapFile{Data: []byte("# symbols: 1\n# path name: ./libplug.so\n# build-id: " +
		id + "\n0000000000001125 0000003b T plug_entry\n")}
	for _, s := range open(t, files).Symbols() {
		if s.Simple == "plug_entry" && len(s.Args) > 0 && s.Module.Name == "libplug.so" {
			t.Error("the specs of another build are taken")
		}
	}
}
