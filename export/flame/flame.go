// Package flame shows flame graphs in a browser without a network. It serves an embedded copy of
// the page of speedscope (https://github.com/jlfwong/speedscope, MIT licence) and one profile.
//
//	var b bytes.Buffer
//	err := profile.Write(&b, r, profile.Options{Format: profile.Speedscope})
//	http.Handle("/secret/", http.StripPrefix("/secret", flame.Handler(b.Bytes(), "trace.dat")))
//
// Its addresses are relative, so it may be served below any path, such as a secret one. The page
// loads only files that are served here, and its content security policy allows no others. Requests
// for a host other than this machine are rejected.
package flame

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/tracec/tracec/internal/loopback"
)

//go:embed speedscope/*.gz speedscope/*.woff2 speedscope/*.png
var page embed.FS

// policy allows the page to load only local files. The page creates style elements itself, and
// demangles names of C++ with WebAssembly in its script.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// types holds the content types of the files.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".woff2": "font/woff2", ".png": "image/png",
}

// profileFile is the name under which the page requests the profile.
const profileFile = "profile"

// Handler returns a handler that serves the page, at the root of its path, and a profile, in any
// format that speedscope reads. name is the title of the profile in the page. The profile must not
// change while it is served.
func Handler(profile []byte, name string) http.Handler { return &handler{profile, name} }

type handler struct {
	profile []byte
	name    string
}

// ServeHTTP implements http.Handler.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for k, v := range map[string]string{
		"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"X-Frame-Options":            "DENY",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		"Cache-Control":      "no-store",
		"Permissions-Policy": "camera=(), geolocation=(), microphone=()",
	} {
		header.Set(k, v)
	}
	switch name := strings.TrimPrefix(r.URL.Path, "/"); {
	case !loopback.Is(r.Host):
		http.Error(w, "this is served to this machine alone", http.StatusForbidden)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "read-only", http.StatusMethodNotAllowed)
	case name == "":
		// The page reads its arguments from the part after #, which browsers keep through a
		// redirection.
		header.Set("Location", "index.html#profileURL="+profileFile+"&title="+title(h.name))
		w.WriteHeader(http.StatusFound)
	case name == profileFile:
		header.Set("Content-Type", "application/octet-stream")
		w.Write(h.profile)
	default:
		file(w, r, name)
	}
}

// title encodes a name for the page, which decodes it as UTF-8.
func title(name string) string {
	return strings.ReplaceAll(url.QueryEscape(strings.ToValidUTF8(name, "\ufffd")), "+", "%20")
}

// file serves a file of the page. Texts are stored compressed.
func file(w http.ResponseWriter, r *http.Request, name string) {
	kind := types[path.Ext(name)]
	packed, err := page.ReadFile("speedscope/" + name + ".gz")
	if err != nil {
		plain, err := page.ReadFile("speedscope/" + name)
		if err != nil || kind == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", kind)
		w.Write(plain)
		return
	}
	w.Header().Set("Content-Type", kind)
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed)
		return
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil { // cannot happen
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	io.Copy(w, z)
}
