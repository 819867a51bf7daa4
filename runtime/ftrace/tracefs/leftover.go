package tracefs

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// An owner is the process that made an instance, according to its name:
// PREFIX-PID-START-NAMESPACE-N. The id alone is not enough: it may belong to a later process, or to
// another namespace.
type owner struct {
	pid       int
	start     uint64 // start time in ticks since the boot
	namespace uint64 // of its id
}

// self returns this process as an owner.
func self() (owner, error) {
	start, err := startOf(os.Getpid())
	return owner{os.Getpid(), start, namespace()}, err
}

func (o owner) name(prefix string, n int) string {
	return fmt.Sprintf("%s-%d-%d-%d-%d", prefix, o.pid, o.start, o.namespace, n)
}

// parseOwner parses the name of an instance. It returns false if another program made it.
func parseOwner(prefix, name string) (o owner, ok bool) {
	rest, ok := strings.CutPrefix(name, prefix+"-")
	parts := strings.Split(rest, "-")
	if !ok || len(parts) != 4 {
		return o, false
	}
	var numbers [4]uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 63)
		if err != nil {
			return o, false
		}
		numbers[i] = n
	}
	return owner{int(numbers[0]), numbers[1], numbers[2]}, true
}

// gone reports whether the process has ended. A process of another namespace may be alive.
func (o owner) gone() bool {
	if o.namespace != namespace() {
		return false
	}
	start, err := startOf(o.pid)
	return os.IsNotExist(err) || err == nil && start != o.start
}

// startOf returns the start time of a process, in ticks since the boot. It is field 22 of
// /proc/PID/stat, after a name that may contain any text (man 5 proc_pid_stat).
func startOf(pid int) (uint64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 {
		return 0, fmt.Errorf("/proc/%d/stat: %d fields", pid, len(fields)+2)
	}
	return strconv.ParseUint(fields[19], 10, 64)
}

// namespace returns the number of this process's PID namespace, or 0 if it is not known.
func namespace() uint64 {
	link, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseUint(strings.Trim(strings.TrimPrefix(link, "pid:"), "[]"), 10, 63)
	return n
}

// Left is an instance whose process was killed before it could remove it. It continues to record.
type Left struct {
	Name string // of the instance
	PID  int    // of the process
	dir  string
}

// Remove removes the instance and its recorded data.
func (l *Left) Remove() error { return os.Remove(l.dir) }

// Leftover returns the instances of killed processes that used this package. root is the mount
// point of tracefs; if "", it is searched for. name is Config.Name.
func Leftover(root, name string) (list []Left, err error) {
	if root == "" {
		if root, err = Mount(); err != nil {
			return nil, err
		}
	}
	if name == "" {
		name = prefix
	}
	all, err := os.ReadDir(filepath.Join(root, "instances"))
	for _, e := range all {
		if o, ok := parseOwner(name, e.Name()); ok && o.gone() {
			list = append(list, Left{Name: e.Name(), PID: o.pid, dir: filepath.Join(root, "instances", e.Name())})
		}
	}
	return list, err
}
