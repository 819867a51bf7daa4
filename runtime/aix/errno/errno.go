// Package errno has the error numbers of AIX, for code that tracec gen writes: a value of a
// template that is printed by the code E is a Number.
package errno

import "github.com/tracec/tracec/runtime/render"

// Number is an error number of AIX.
type Number uint64

// The numbers that AIX's sys/errno.h names.
const (
	EPERM           Number = 1
	ENOENT          Number = 2
	ESRCH           Number = 3
	EINTR           Number = 4
	EIO             Number = 5
	ENXIO           Number = 6
	E2BIG           Number = 7
	ENOEXEC         Number = 8
	EBADF           Number = 9
	ECHILD          Number = 10
	EAGAIN          Number = 11
	ENOMEM          Number = 12
	EACCES          Number = 13
	EFAULT          Number = 14
	ENOTBLK         Number = 15
	EBUSY           Number = 16
	EEXIST          Number = 17
	EXDEV           Number = 18
	ENODEV          Number = 19
	ENOTDIR         Number = 20
	EISDIR          Number = 21
	EINVAL          Number = 22
	ENFILE          Number = 23
	EMFILE          Number = 24
	ENOTTY          Number = 25
	ETXTBSY         Number = 26
	EFBIG           Number = 27
	ENOSPC          Number = 28
	ESPIPE          Number = 29
	EROFS           Number = 30
	EMLINK          Number = 31
	EPIPE           Number = 32
	EDOM            Number = 33
	ERANGE          Number = 34
	ENOMSG          Number = 35
	EIDRM           Number = 36
	ECHRNG          Number = 37
	EL2NSYNC        Number = 38
	EL3HLT          Number = 39
	EL3RST          Number = 40
	ELNRNG          Number = 41
	EUNATCH         Number = 42
	ENOCSI          Number = 43
	EL2HLT          Number = 44
	EDEADLK         Number = 45
	ENOTREADY       Number = 46
	EWRPROTECT      Number = 47
	EFORMAT         Number = 48
	ENOLCK          Number = 49
	ENOCONNECT      Number = 50
	ESTALE          Number = 52
	EDIST           Number = 53
	EINPROGRESS     Number = 55
	EALREADY        Number = 56
	ENOTSOCK        Number = 57
	EDESTADDRREQ    Number = 58
	EMSGSIZE        Number = 59
	EPROTOTYPE      Number = 60
	ENOPROTOOPT     Number = 61
	EPROTONOSUPPORT Number = 62
	ESOCKTNOSUPPORT Number = 63
	EOPNOTSUPP      Number = 64
	EPFNOSUPPORT    Number = 65
	EAFNOSUPPORT    Number = 66
	EADDRINUSE      Number = 67
	EADDRNOTAVAIL   Number = 68
	ENETDOWN        Number = 69
	ENETUNREACH     Number = 70
	ENETRESET       Number = 71
	ECONNABORTED    Number = 72
	ECONNRESET      Number = 73
	ENOBUFS         Number = 74
	EISCONN         Number = 75
	ENOTCONN        Number = 76
	ESHUTDOWN       Number = 77
	ETIMEDOUT       Number = 78
	ECONNREFUSED    Number = 79
	EHOSTDOWN       Number = 80
	EHOSTUNREACH    Number = 81
	ERESTART        Number = 82
	EPROCLIM        Number = 83
	EUSERS          Number = 84
	ELOOP           Number = 85
	ENAMETOOLONG    Number = 86
	EDQUOT          Number = 88
	ECORRUPT        Number = 89
	ESYSERROR       Number = 90
	EREMOTE         Number = 93
	ENOTRECOVERABLE Number = 94
	EOWNERDEAD      Number = 95
	ENOSYS          Number = 109
	EMEDIA          Number = 110
	ESOFT           Number = 111
	ENOATTR         Number = 112
	ESAD            Number = 113
	ENOTRUST        Number = 114
	ETOOMANYREFS    Number = 115
	EILSEQ          Number = 116
	ECANCELED       Number = 117
	ENOSR           Number = 118
	ETIME           Number = 119
	EBADMSG         Number = 120
	EPROTO          Number = 121
	ENODATA         Number = 122
	ENOSTR          Number = 123
	ENOTSUP         Number = 124
	EMULTIHOP       Number = 125
	ENOLINK         Number = 126
	EOVERFLOW       Number = 127
)

// String returns the name of the number, or the number.
func (n Number) String() string { return string(render.AIXErrno(nil, nil, uint64(n))) }
