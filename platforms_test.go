package tracec_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// quickSystems has one system of each kind: 32 bits, other files than on this system, big-endian.
var quickSystems = []string{"linux/386", "darwin/arm64", "windows/386", "aix/ppc64", "js/wasm"}

// TestTypes checks the types of the commands for every system that README names. It finds the same
// errors as TestBuilds, such as constants that overflow an int of 32 bits, but compiles nothing.
// The long proof checks all packages and their tests.
func TestTypes(t *testing.T) {
	chosen, patterns := quickSystems, []string{"./cmd/tracec", "./cmd/tracec-gen", "./cmd/internal/bench/decoders"}
	long := needs.LongProofs(t)
	if long {
		chosen, patterns = systems, []string{"./..."}
	}
	s := parsed{module: needs.Root(t) + string(filepath.Separator), files: map[string]*ast.File{}}
	fset := token.NewFileSet()
	for _, system := range chosen {
		goos, goarch, _ := strings.Cut(system, "/")
		list, err := packages.Load(&packages.Config{
			Mode:      packages.LoadAllSyntax &^ packages.NeedTypesInfo,
			Env:       append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
			Fset:      fset,
			ParseFile: s.parse,
			Tests:     long,
		}, patterns...)
		if err != nil {
			t.Fatalf("%s: %v", system, err)
		}
		checked := 0
		packages.Visit(list, nil, func(p *packages.Package) {
			if !strings.HasPrefix(p.PkgPath, "github.com/tracec/") || strings.HasSuffix(p.PkgPath, ".test") {
				return // its functions have no bodies here, or it is a main of go test outside of the module
			}
			checked++
			for _, err := range p.Errors {
				t.Errorf("%s: %v", system, err)
			}
		})
		if checked < 50 {
			t.Errorf("%s: only %d packages were checked", system, checked)
		}
	}
}

// parsed are parsed files. Systems share most of them.
type parsed struct {
	module string // the folder whose functions keep their bodies
	mu     sync.Mutex
	files  map[string]*ast.File
}

func (s *parsed) parse(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	s.mu.Lock()
	f := s.files[name]
	s.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return f, err
	}
	if !strings.HasPrefix(name, s.module) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				fn.Body = nil
			}
		}
	}
	s.mu.Lock()
	s.files[name] = f
	s.mu.Unlock()
	return f, nil
}
