package loopback

import (
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
)

// Page writes a file that redirects a browser to an address, readable only by this user. The
// arguments of a program are visible to all users, and an address may contain a secret. Page
// returns the name of the file, and a function that removes it.
func Page(address string) (name string, remove func() error, err error) {
	dir, err := os.MkdirTemp(place(), "tracec-")
	if err != nil {
		return "", nil, err
	}
	remove = func() error { return os.RemoveAll(dir) }
	a := html.EscapeString(address)
	name = filepath.Join(dir, "open.html")
	text := fmt.Sprintf("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n<title>tracec</title>\n<a href=\"%s\">%s</a>\n", a, a, a)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return name, remove, nil
}

// place returns a directory that the browser can read. Browsers in snaps see neither /tmp nor
// hidden files of the home directory.
func place() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if st, err := os.Stat(filepath.Join(home, "snap")); err == nil && st.IsDir() {
		return home
	}
	return ""
}
