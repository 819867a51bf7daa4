package main

import "regexp"

// With -Z, uftrace 0.13 knows functions of the kernel and of libraries of dlopen at their returns,
// but not at their calls. Its output lacks these calls. The calls around them end too early, and
// later calls are a level too high (testdata/differences.md). No other line may differ.
const (
	plugNames   = `plug_\w+`
	kernelNames = `(?:do_syscall_64|__x64_\w+|ksys_\w+|vfs_\w+|exc_page_fault|asm_exc_page_fault)`
	noGraph     = `|^# Function Call Graph for .*|^uftrace: cannot find graph .*|^please check your filter .*|` +
		`^=+ FUNCTION CALL GRAPH =+$|^# TOTAL TIME .*`
	columnLine = `|^#.*FUNCTION$`
)

// sized matches commands that hide functions by their size.
var sized = option(`@size=|-Z `)

// plugFrame matches a function of the library in a backtrace.
var plugFrame = regexp.MustCompile(`^\[\d+\] (?:<[0-9a-f]+>|plug_\w+) \(`)

var (
	plugReplay = regexp.MustCompile(`.*\b` + plugNames + `\(\).*|.*/\* (?:main|` + plugNames + `) \*/$|.*\| *\}(?: = .*)?$` + columnLine)
	plugEvent  = regexp.MustCompile(`.*"name":"` + plugNames + `".*|.*"ph":"E".*"name":"main".*`)
	plugRow    = regexp.MustCompile(`^(?:.* )?(?:main|` + plugNames + `)$`)
	plugGraph  = regexp.MustCompile(`.*\(\d+\) (?:dl|main|` + plugNames + `)$|: [ |+-]*(?:\(|$)` +
		`|^\[\d+\] (?:main \(0x[0-9a-f]+\))?` + noGraph)
	plugFlame = regexp.MustCompile(`.*\b` + plugNames + `\b.*|^main \d+$|^main;`)
	plugEdge  = regexp.MustCompile(`.*"` + plugNames + `".*|^"(?:dl|main)" ->`)

	kernelReplay = regexp.MustCompile(`.*\b` + kernelNames + `\(\).*|.*/\* (?:main|printf|` + kernelNames + `) \*/$|.*\| *\}(?: = .*)?$` + columnLine)
	kernelEvent  = regexp.MustCompile(`.*"name":"` + kernelNames + `".*|.*"ph":"E".*"name":"(?:main|printf)".*`)
	kernelRow    = regexp.MustCompile(`^(?:.* )?(?:main|printf|` + kernelNames + `)$`)
	kernelTree   = regexp.MustCompile(`.*\(\d+\) (?:abc|main|printf|` + kernelNames + `)$|: [ |+-]*(?:\(|$)` + noGraph)
	kernelFlame  = regexp.MustCompile(`.*\b` + kernelNames + `\b.*|^main(?:;printf)? \d+$`)
	kernelEdge   = regexp.MustCompile(`.*"` + kernelNames + `".*`)
)
