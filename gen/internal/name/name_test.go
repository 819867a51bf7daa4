package name

import (
	"strings"
	"testing"
)

func TestExported(t *testing.T) {
	for in, want := range map[string]string{
		"sched_switch": "SchedSwitch", "prev_pid": "PrevPID", "__syscall_nr": "SyscallNr", "irq": "IRQ",
		"cpu_id":  "CPUID",
		"nr_cpus": "NrCPUS", "9p_client_req": "X9pClientReq", "": "X", "_": "X", "type": "Type", "wValue": "WValue",
		"a*/b": "AB", "数": "X", "foo[0]": "Foo0", "x86_fpu": "X86Fpu", "\x00\xff": "X", "rt.period": "RtPeriod",
	} {
		if got := Exported(in); got != want {
			t.Errorf("Exported(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestField(t *testing.T) {
	for in, want := range map[string]string{
		"rw(FAILFAST_DRIVER,META,RW)": "Rw", "prev_pid": "PrevPID", "(x)": "X", "size (hex)": "SizeHex", "f(a)b": "FAB",
		"op()": "Op",
	} {
		if got := Field(in); got != want {
			t.Errorf("Field(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLower(t *testing.T) {
	for in, want := range map[string]string{
		"Filename": "filenameLoc", "PIDMask": "pidMaskLoc", "IP": "ipLoc", "X": "xLoc", "X9p": "x9pLoc",
		"Type": "typeLoc",
	} {
		if got := Lower(in, "Loc"); got != want {
			t.Errorf("Lower(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPackage(t *testing.T) {
	for in, want := range map[string]string{
		"sched": "sched", "raw_syscalls": "rawsyscalls", "9p": "x9p", "type": "typeevents",
		"internal": "internalevents",
		"":         "x", "../../etc": "etc", "NFS": "nfs", "main": "mainevents", "init": "initevents",
		"con": "conevents",
	} {
		if got := Package(in); got != want {
			t.Errorf("Package(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWithStem(t *testing.T) {
	for _, c := range [][3]string{
		{"", "Bind", "Bind"}, {"Sched", "Bind", "SchedBind"}, {"sched", "Bind", "SchedBind"},
		{"Sched", "events", "schedEvents"}, {"ä", "Bind", "ÄBind"},
	} {
		if got := WithStem(c[0], c[1]); got != c[2] {
			t.Errorf("WithStem(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestTags(t *testing.T) {
	for file, want := range map[string]string{
		"linux.go": "", "a_linux.go": "linux", "a_linux_amd64.go": "linux amd64", "a_arm64.x.go": "arm64",
		"a_amd64_linux.go": "linux", "a_test.go": "", "a.go": "", "a_unix.go": "",
	} {
		if got := strings.Join(Tags(file), " "); got != want {
			t.Errorf("Tags(%q) = %q, want %q", file, got, want)
		}
	}
}
