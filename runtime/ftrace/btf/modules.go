package btf

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// Dir is the directory of a kernel's type information in copies of tracefs. Like /sys/kernel/btf,
// it has vmlinux and a file for each module. If Dir is a file, this file is vmlinux.
const Dir = "btf"

// Vmlinux returns the name of the kernel's own file in a copy of tracefs.
func Vmlinux(dir fs.FS) string {
	if st, err := fs.Stat(dir, Dir); err == nil && st.IsDir() {
		return Dir + "/vmlinux"
	}
	return Dir
}

// maxModules bounds the bytes read of all modules. The modules of a distribution have some MB.
const maxModules = 64 << 20

// WithModules adds the modules of a copy of tracefs. Names that the kernel itself does not have are
// looked up in them. Modules are read at the first such lookup. If note is non-nil, it gets the
// error of each module that cannot be read.
func (t *Types) WithModules(dir fs.FS, note func(file string, err error)) {
	if note == nil {
		note = func(string, error) {}
	}
	t.modules = sync.OnceValue(func() []*Types { return t.readModules(dir, note) })
}

func (t *Types) readModules(dir fs.FS, note func(string, error)) (list []*Types) {
	files, err := fs.ReadDir(dir, Dir)
	if err != nil { // it is a file or missing
		return nil
	}
	left := int64(maxModules)
	for _, f := range files {
		name := Dir + "/" + f.Name()
		if f.Name() == "vmlinux" || !f.Type().IsRegular() {
			continue
		}
		data, err := readAtMost(dir, name, left)
		if err == nil {
			left -= int64(len(data))
			var m *Types
			if m, err = t.module(data); err == nil {
				list = append(list, m)
				continue
			}
		}
		note(name, err)
	}
	return list
}

var errModules = errors.New("more type information of modules than is read")

func readAtMost(dir fs.FS, name string, n int64) ([]byte, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, n+1))
	if err == nil && int64(len(data)) > n {
		err = errModules
	}
	return data, err
}

// module parses the type information of a module. Its ids and string offsets continue after those
// of the kernel (Documentation/bpf/btf.rst: split BTF).
func (t *Types) module(data []byte) (*Types, error) {
	m, err := parse(data, t)
	if err == nil && m.order != t.order {
		err = fmt.Errorf("%w: another byte order than the kernel's", ErrFormat)
	}
	return m, err
}

// ofModules finds the value of a name in the modules.
func (t *Types) ofModules(name string) (e enumerator, ok bool) {
	if t.modules == nil {
		return e, false
	}
	for _, m := range t.modules() {
		v, has := m.values()[name]
		if !has {
			continue
		}
		e = enumerator{v.value, v.vague || ok && (e.vague || e.value != v.value)}
		ok = true
	}
	return e, ok
}

// definer returns the types of the first module that has the function, or nil.
func (t *Types) definer(function string) *Types {
	if t.modules == nil {
		return nil
	}
	for _, m := range t.modules() {
		if _, ok := m.funcs[function]; ok {
			return m
		}
	}
	return nil
}
