package uftrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// headerSize is the size of the binary header of info (uftrace.md 1.2).
const headerSize = 40

var infoMagic = []byte("Ftrace!\x00")

// readInfo reads the file info. Only an invalid header is an error.
func (r *Recording) readInfo() error {
	in := &r.info
	in.Version, in.HeaderSize, in.WordSize, in.MaxStack = 4, headerSize, 8, 1024
	data, ok := r.readFile("info")
	if !ok || len(data) == 0 {
		in.Missing = true
		why := "the recorder was killed"
		if r.watch != nil {
			why = "the recorder writes it last, or was killed"
		}
		r.damage.Note("info", 0, 0, fmt.Errorf("%w: "+why+
			"; byte order and threads are guessed, no argument can be decoded", ErrMissing))
		in.BigEndian = r.guessOrder()
		return nil
	}
	if len(data) < len(infoMagic) || !bytes.Equal(data[:len(infoMagic)], infoMagic) {
		return &Damage{File: "info", Err: fmt.Errorf("%w: the magic Ftrace! is not at its start", ErrFormat)}
	}
	if len(data) < headerSize {
		return &Damage{File: "info", Offset: int64(len(data)),
			Err: fmt.Errorf("%w: the header has %d bytes", ErrTruncated, headerSize)}
	}
	if err := r.readHeader(data); err != nil {
		return err
	}
	r.readLines(data[headerSize:])
	return nil
}

func (r *Recording) readHeader(data []byte) error {
	in := &r.info
	if v := binary.LittleEndian.Uint32(data[8:]); v == 1 || v == 2 { // these have no byte order in their headers
		return checkVersion(v)
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch data[14] {
	case 1:
	case 2:
		order, in.BigEndian = binary.BigEndian, true
	default:
		return &Damage{File: "info", Offset: 14, Err: fmt.Errorf("%w: byte order %d", ErrCorrupt, data[14])}
	}
	switch data[15] {
	case 1:
		in.WordSize = 4
	case 2:
	default:
		return &Damage{File: "info", Offset: 15, Err: fmt.Errorf("%w: word size class %d", ErrCorrupt, data[15])}
	}
	in.Version = order.Uint32(data[8:])
	in.HeaderSize = order.Uint16(data[12:])
	in.Features = Feature(order.Uint64(data[16:]))
	in.Fields = InfoField(order.Uint64(data[24:]))
	if in.Features&FeatMaxStack != 0 {
		in.MaxStack = int(order.Uint16(data[32:]))
	}
	return checkVersion(in.Version)
}

// readLines reads the text after the header. It recognizes lines by their keys, not by their
// places. So a group with a wrong bit does no harm, nor do QEMU's empty values.
func (r *Recording) readLines(text []byte) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		key, value, ok := strings.Cut(string(line), ":")
		if ok {
			r.info.set(key, value)
		}
	}
}

func (in *Info) set(key, value string) {
	switch key {
	case "exename":
		in.ExeName = value
	case "build_id":
		in.BuildID = value
	case "exit_status":
		in.ExitStatus, _ = strconv.Atoi(value)
	case "cmdline":
		in.CmdLine = value
	case "meminfo":
		in.Memory = value
	case "loadinfo":
		in.Load = value
	case "cpuinfo", "osinfo", "taskinfo", "usageinfo":
		if k, v, ok := strings.Cut(value, "="); ok {
			in.setPart(k, v)
		}
	case "argspec":
		if !strings.HasPrefix(value, "lines=") {
			in.ArgSpec = value
		}
	case "retspec":
		in.RetSpec = value
	case "argauto":
		in.ArgAuto = value
	case "retauto":
		in.RetAuto = value
	case "enumauto":
		in.EnumAuto = value
	case "auto-args":
		in.AutoArgs = strings.TrimSpace(value) == "1"
	case "record_date":
		in.RecordDate = value
	case "elapsed_time":
		in.Elapsed = value
	case "pattern_type":
		in.PatternType = value
	case "uftrace_version":
		in.Recorder = value
	case "utc_offset":
		in.UTCOffset, _ = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	case "sysctl":
		in.SysCtl = value
	}
}

// setPart sets one value of a group of several lines: usageinfo:maxrss=8864.
func (in *Info) setPart(key, value string) {
	switch key {
	case "nr_cpus":
		in.CPUs = value
	case "desc":
		in.CPUDesc = value
	case "kernel":
		in.Kernel = value
	case "hostname":
		in.Hostname = value
	case "distro":
		in.Distro = value
	case "tids":
		for _, t := range strings.Split(value, ",") {
			if tid, err := strconv.ParseInt(strings.TrimSpace(t), 10, 32); err == nil && tid >= 0 {
				in.TIDs = append(in.TIDs, int32(tid))
			}
		}
	case "systime":
		in.SysTime = value
	case "usrtime":
		in.UsrTime = value
	case "ctxsw":
		in.CtxSwitch = value
	case "maxrss":
		in.MaxRSS = value
	case "pagefault":
		in.PageFaults = value
	case "iops":
		in.IOps = value
	}
}

// guessOrder finds the byte order from the first records. The marker 5 of bits 3-5 is in byte 8 or
// in byte 15.
func (r *Recording) guessOrder() bool {
	big, little := 0, 0
	var rec [16]byte
	for _, tid := range r.fileTIDs() {
		f := r.openFile(recordFile(tid), false)
		for off := int64(0); off < 64*16; off += 16 {
			if n, _ := f.readAt(rec[:], off); n < 16 {
				break
			}
			if rec[8]>>3&7 == recordMark {
				little++
			}
			if rec[15]>>3&7 == recordMark {
				big++
			}
		}
		f.close()
		if big != little {
			break
		}
	}
	return big > little
}
