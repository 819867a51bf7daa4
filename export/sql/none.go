//go:build !((linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || darwin || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (386 || amd64 || arm64)) || (netbsd && amd64) || (illumos && amd64))

package sql

// newEngine returns ErrPlatform: there is no SQLite.
func newEngine(*Database) (engine, error) { return nil, ErrPlatform }
