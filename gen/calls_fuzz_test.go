package gen_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/runtime/uftrace"
)

// FuzzCalls checks that any argument specs of a recording give valid Go, or an error with the
// reason. Source that does not parse is also such an error.
func FuzzCalls(f *testing.F) {
	dir := unpack(f, "testdata/calls/first.tar.gz", f.TempDir())
	files := fstest.MapFS{}
	list, err := os.ReadDir(dir)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range list {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			f.Fatal(err)
		}
		files[e.Name()] = &fstest.MapFile{Data: content}
	}
	info := string(files["info"].Data)
	f.Add("order@arg1/s,arg2/i32,arg3/u8;price@fparg1/64", "order@retval;describe@retval/s", "state {OPEN,PAID=5}")
	f.Add("order@arg1/t4096:pair,arg1%stack+1,fparg1/80;.@arg2/e:state", "*@retval/i32;sum@retval/f32",
		"state {a=-1,b,a=0xffffffffffffffff}")
	f.Add("order@arg1/t1000000000:x,arg2/e:,arg3/e:*/,arg4/t3:a\"b", "", " {},{a},x{\"")
	spec := regexp.MustCompile(`(?m)^(argspec|retspec|enumauto):.*$`)
	f.Fuzz(func(t *testing.T, args, results, enums string) {
		text := spec.ReplaceAllStringFunc(info, func(line string) string {
			switch {
			case strings.HasPrefix(line, "argspec:lines"):
				return line
			case strings.HasPrefix(line, "argspec"):
				return "argspec:" + strings.ReplaceAll(args, "\n", "")
			case strings.HasPrefix(line, "retspec"):
				return "retspec:" + strings.ReplaceAll(results, "\n", "")
			}
			return "enumauto:enum " + strings.ReplaceAll(enums, "\n", "")
		})
		copied := fstest.MapFS{}
		for name, file := range files {
			copied[name] = file
		}
		copied["info"] = &fstest.MapFile{Data: []byte(text)}
		rec, err := uftrace.OpenFS(copied, "fuzzed.data")
		if err != nil {
			return // nothing is described
		}
		defer rec.Close()
		u, _ := recorded.Unit(rec, everything)
		out, err := gen.Generate(u, gen.Options{Package: "p", Text: true})
		if err != nil && (strings.Contains(err.Error(), "bug") || len(u.Events) > 0 && out != nil) {
			t.Fatal(err)
		}
		if err != nil && len(u.Events) > 0 {
			t.Fatalf("%d events, but %v", len(u.Events), err)
		}
	})
}
