// Syscalls writes the names of Linux's system calls by machine and number, for runtime/syscalls.
// The numbers are facts. Their source is golang.org/x/sys/unix (zsysnum_linux_*.go, a BSD license),
// which reads them from the headers of Linux.
//
//	go run ./cmd/internal/syscalls > runtime/syscalls/names.txt
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// machines are Go's names of the machines.
var machines = []string{
	"386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "ppc", "ppc64", "riscv64", "s390x", "sparc64",
}

func main() {
	log.SetFlags(0)
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		log.Fatal("go list -m golang.org/x/sys: ", err)
	}
	w := bufio.NewWriter(os.Stdout)
	for _, m := range machines {
		path := filepath.Join(string(bytes.TrimSpace(dir)), "unix", "zsysnum_linux_"+m+".go")
		source, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		write(w, m, numbers(source))
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
}

var constant = regexp.MustCompile(`(?m)^\tSYS_(\w+) += (\d+)$`)

// numbers returns the names of a file by their numbers.
func numbers(source []byte) map[int]string {
	all := map[int]string{}
	for _, m := range constant.FindAllSubmatch(source, -1) {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil {
			log.Fatal(err)
		}
		if name := strings.ToLower(string(m[1])); name != "syscall_mask" { // a constant of arm, not a call
			all[n] = name
		}
	}
	return all
}

// write writes the names of a machine. A line begins with a number. The names after it have this
// number and the numbers that follow.
func write(w *bufio.Writer, machine string, names map[int]string) {
	list := make([]int, 0, len(names))
	for n := range names {
		list = append(list, n)
	}
	slices.Sort(list)
	line := ""
	for i, n := range list {
		if line != "" && (n != list[i-1]+1 || len(line)+len(names[n]) >= 100) {
			fmt.Fprintln(w, line)
			line = ""
		}
		if line == "" {
			line = fmt.Sprint(machine, " ", n)
		}
		line += " " + names[n]
	}
	fmt.Fprintln(w, line)
}
