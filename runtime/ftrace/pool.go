package ftrace

// pool is the memory that the streams and the metadata of a recording share.
type pool struct {
	meta    int64 // bytes of metadata that were unpacked or copied so far
	share   share
	scratch scratch
	spare   spare
}
