// Package tracewrite writes trace.dat files, of version 6 and of version 7 (uncompressed, zstd,
// zlib).
//
// A Header holds the buffers and the metadata of the kernel. The metadata are blocks that the
// Encode functions make or that were read from another file. Then come the options and, buffer by
// buffer and CPU by CPU, the sub-buffers. They come from the kernel's trace_pipe_raw, or Pages
// makes them from records:
//
//	w, err := tracewrite.Create("trace.dat", header)
//	...
//	defer w.Abort() // does nothing after Close
//	w.Option(ftrace.OptionUname, []byte("Linux host 6.1\x00"))
//	for i := range header.Buffers {
//		w.Buffer(i)
//		for cpu := range cpus {
//			w.CPU(cpu)
//			w.Page(page) // as often as there are pages
//		}
//	}
//	err = w.Close()
//
// The first error sticks: later calls do nothing and return it, and Close returns it.
//
// # Memory and files
//
// A Writer holds one chunk of ten sub-buffers, and its packed form. The data of a CPU are written
// at once, so the data of several CPUs must come one after another. Create writes to a temporary
// file beside the given path, and Close renames it. So the file is complete at any time, in its old
// or its new state.
//
// # Formats
//
// Both versions are described in trace-cmd's Documentation/trace-cmd (trace-cmd.dat.v6.5 and
// .v7.5). All integers have the byte order of the recorded machine. Data of a CPU begin at a
// multiple of the size of a sub-buffer.
package tracewrite
