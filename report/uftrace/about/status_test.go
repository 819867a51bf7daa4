package about

import "testing"

func TestExitText(t *testing.T) {
	for status, want := range map[int]string{
		0:       "exited with code: 0",
		3 << 8:  "exited with code: 3",
		1 << 16: "terminated by finish trigger",
		11:      "terminated by signal: 11 (Segmentation fault)",
		128 | 6: "terminated by signal: 6 (Aborted)", // with a core dump
		31:      "terminated by signal: 31 (Bad system call)",
		33:      "terminated by signal: 33 (Unknown signal 33)",
		36:      "terminated by signal: 36 (Real-time signal 2)",
		0x137f:  "unknown exit status: 4991", // stopped
	} {
		if got := exitText(status); got != want {
			t.Errorf("%#x: %q, want %q", status, got, want)
		}
	}
}
