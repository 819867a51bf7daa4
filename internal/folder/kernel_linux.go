package folder

import "syscall"

// kernels lists the file systems with the kernel's own data, and autofs, which mounts others on
// access (include/uapi/linux/magic.h; missing ones: fs/configfs, fs/fuse/control.c,
// fs/nfsd/nfsctl.c, ipc/mqueue.c, net/sunrpc/rpc_pipe.c, drivers/usb/gadget/function/f_fs.c).
var kernels = map[uint32]string{
	0x74726163: "tracefs",
	0x64626720: "debugfs",
	0x62656572: "sysfs",
	0x00009fa0: "proc",
	0x73636673: "securityfs",
	0x62656570: "configfs",
	0x0027e0eb: "cgroup",
	0x63677270: "cgroup2",
	0xcafe4a11: "bpf",
	0xf97cff8c: "selinuxfs",
	0x43415d53: "smackfs",
	0x5a3c69f0: "apparmorfs",
	0xde5e81e4: "efivarfs",
	0x00001cd1: "devpts",
	0x42494e4d: "binfmt_misc",
	0x6c6f6f70: "binderfs",
	0x6e736673: "nsfs",
	0x07655821: "resctrl",
	0x19800202: "mqueue",
	0x00000187: "autofs",
	0x65735543: "fusectl",
	0x6e667364: "nfsd",
	0x67596969: "rpc_pipefs",
	0x0a647361: "functionfs",
	0xabba1974: "xenfs",
}

// KernelAt returns the name of the kernel's file system that a path is in. It is empty for other
// paths, and on systems without such file systems.
func KernelAt(path string) string {
	var st syscall.Statfs_t
	if err := syscall.Statfs(path, &st); err != nil {
		return ""
	}
	return kernels[uint32(st.Type)]
}
