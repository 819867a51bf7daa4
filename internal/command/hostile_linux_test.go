package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestHostileMemory runs the command on inputs that claim gigabytes, and measures the memory of its
// process. The limit is --memory and a fixed reserve.
func TestHostileMemory(t *testing.T) {
	if testing.Short() {
		needs.Skip(t, "take hundreds of megabytes (go test without -short)")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range needs.Some(t, hostileInputs, 4) {
		t.Run(h.name, func(t *testing.T) {
			path := h.make(t, t.TempDir())
			for _, command := range needs.Some(t, h.commands, 1) {
				peak, text, err := child(exe, t.TempDir(), strings.Fields(strings.ReplaceAll(command, "FILE", path)))
				if err != nil {
					t.Errorf("tracec %s: %v", command, err)
					continue
				}
				t.Logf("tracec %s: %d MiB: %s", command, peak>>20, text)
				if peak > hostileMemory+hostileReserve {
					t.Errorf("tracec %s: the process took %d MiB, more than %d MiB and a reserve of %d MiB",
						command, peak>>20, hostileMemory>>20, hostileReserve>>20)
				}
			}
		})
	}
}

var highWater = regexp.MustCompile(`VmHWM:\s*(\d+) kB`)

// child runs the command in a process. It returns the peak in bytes and how the process ended. It
// does not use the kernel's ru_maxrss, because a child's value begins with the value of its parent.
func child(exe, dir string, args []string) (peak int64, text string, err error) {
	status := filepath.Join(dir, "status")
	ctx, cancel := context.WithTimeout(context.Background(), mutantDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, append(args, "--memory", fmt.Sprint(hostileMemory))...)
	// it determines the number of goroutines
	cmd.Env = append(os.Environ(), childVariable+"="+status, "GOMEMLIMIT=off", "GOGC=100", "GOMAXPROCS=16")
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = io.Discard, &stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 0 && exit.ExitCode() <= exitFailed {
		err = nil
	}
	b, _ := os.ReadFile(status)
	m := highWater.FindSubmatch(b)
	if m == nil || err != nil {
		return 0, "", fmt.Errorf("%w: %s", err, firstLine(stderr.String()))
	}
	kb, err := strconv.ParseInt(string(m[1]), 10, 64)
	return kb << 10, fmt.Sprintf("exit %d, %s", cmd.ProcessState.ExitCode(), firstLine(stderr.String())), err
}
