package btf

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// Dir is the folder that has the type information of a kernel in copies of tracefs: what
// /sys/kernel/btf has, which is vmlinux and a file for each module. Where it is a file it is
// vmlinux.
const Dir = "btf"

// Vmlinux returns the name of the file of the kernel itself in a copy of tracefs.
func Vmlinux(dir fs.FS) string {
	if st, err := fs.Stat(dir, Dir); err == nil && st.IsDir() {
		return Dir + "/vmlinux"
	}
	return Dir
}

// maxModules bounds what is read of all modules; those of a distribution have some MB.
const maxModules = 64 << 20

// WithModules has names that the kernel itself does not know looked up in those of the modules
// that lie in a copy of tracefs, which are read when one is asked for. note, unless nil, gets why
// one cannot be read.
func (t *Types) WithModules(dir fs.FS, note func(file string, err error)) {
	if note == nil {
		note = func(string, error) {}
	}
	t.modules = sync.OnceValue(func() []*Types { return t.readModules(dir, note) })
}

func (t *Types) readModules(dir fs.FS, note func(string, error)) (list []*Types) {
	files, err := fs.ReadDir(dir, Dir)
	if err != nil { // a file, or nothing
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

// module reads the type information of a module. Its ids and the places of its strings go on after
// those of the kernel (Documentation/bpf/btf.rst: split BTF).
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

// definer returns the types of the first module that has a function of that name, nil for none.
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
