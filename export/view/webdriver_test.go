package view

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// browser is a headless Chromium that chromedriver controls through the WebDriver protocol
// (https://www.w3.org/TR/webdriver2/).
type browser struct {
	t       *testing.T
	session string // URL of the session
}

var started = regexp.MustCompile(`started successfully on port (\d+)`)

// browsers counts the browsers that tests requested.
var browsers atomic.Int64

// newBrowser starts a browser. It skips the test if no browser is installed. Outside of the long
// proofs it also skips all tests except the first.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if browsers.Add(1) > 1 {
		needs.Proofs(t)
	}
	driver := needs.Program(t, "chromedriver", "apt-get install chromium-driver")
	needs.Program(t, "chromium", "apt-get install chromium")
	dir := profile(t) // removed after the browser has ended
	cmd := exec.Command(driver, "--port=0", "--log-level=SEVERE")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		needs.Skip(t, "the browser does not start", err)
	}
	b := &browser{t: t}
	t.Cleanup(func() {
		if b.session != "" {
			b.call(http.MethodDelete, "", nil, nil)
		}
		cmd.Process.Kill()
		cmd.Wait()
	})
	port := ""
	for lines := bufio.NewScanner(out); port == "" && lines.Scan(); {
		if m := started.FindStringSubmatch(lines.Text()); m != nil {
			port = m[1]
		}
	}
	if port == "" {
		needs.Skip(t, "the browser does not start", "chromedriver names no port")
	}
	go io.Copy(io.Discard, out)
	b.session = "http://127.0.0.1:" + port + "/session"
	b.begin(dir)
	return b
}

// begin opens a window of 1400 by 900 pixels.
func (b *browser) begin(profile string) {
	b.t.Helper()
	args := []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-default-apps", "--disable-extensions", "--window-size=1400,900",
		"--user-data-dir=" + profile,
	}
	var answer struct {
		SessionID string `json:"sessionId"`
	}
	err := b.try(http.MethodPost, "", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"browserName": "chrome", "goog:chromeOptions": map[string]any{"args": args,
			"perfLoggingPrefs": map[string]any{"enableNetwork": true}},
		"goog:loggingPrefs": map[string]string{"browser": "ALL", "performance": "ALL"},
	}}}, &answer)
	if err != nil {
		b.session = ""
		needs.Skip(b.t, "the browser does not start", err)
	}
	b.session += "/" + answer.SessionID
}

// profile returns a new folder for data of a browser. The browser continues to write for a moment
// after its end.
func profile(t *testing.T) string {
	dir, err := os.MkdirTemp("", "tracec-view-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 100 {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Error(err)
	})
	return dir
}

// call sends a command. A failure ends the test.
func (b *browser) call(method, path string, body, answer any) {
	b.t.Helper()
	if err := b.try(method, path, body, answer); err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
}

func (b *browser) try(method, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		text = []byte("{}")
	}
	req, err := http.NewRequest(method, b.session+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	res, err := (&http.Client{Timeout: time.Minute}).Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var whole struct{ Value json.RawMessage }
	if err := json.NewDecoder(res.Body).Decode(&whole); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", res.Status, whole.Value)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(whole.Value, answer)
}

func (b *browser) open(url string) {
	b.t.Helper()
	b.call(http.MethodPost, "/url", map[string]string{"url": url}, nil)
}

// run runs a function body in the page and decodes its result.
func (b *browser) run(script string, answer any) {
	b.t.Helper()
	b.call(http.MethodPost, "/execute/sync", map[string]any{"script": script, "args": []any{}}, answer)
}

// text returns the value of an expression in the page, as text.
func (b *browser) text(expression string) string {
	b.t.Helper()
	var s string
	b.run("return String("+expression+")", &s)
	return s
}

// wait waits until an expression is true in the page.
func (b *browser) wait(expression string) {
	b.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if b.text("Boolean("+expression+")") == "true" {
			return
		}
		if time.Now().After(end) {
			b.shoot(b.t.Name() + "-failed")
			b.t.Fatalf("it does not get true: %s", expression)
		}
	}
}

// whole waits until the picture is complete. Earlier input has been handled after two frames.
func (b *browser) whole() {
	b.t.Helper()
	b.run(`return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))`, nil)
	b.wait(`tracec.status.done && tracec.settled`)
}

// The keys of WebDriver that are not characters.
const (
	keyTab, keyEnter, keyEscape, keyShift = "\uE004", "\uE007", "\uE00C", "\uE008"
	keyLeft, keyUp, keyRight, keyDown     = "\uE012", "\uE013", "\uE014", "\uE015"
)

// press presses keys one after the other. A key after keyShift is pressed together with it.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	var actions []map[string]string
	shift := false
	for _, key := range keys {
		if key == keyShift {
			actions, shift = append(actions, map[string]string{"type": "keyDown", "value": keyShift}), true
			continue
		}
		actions = append(actions, map[string]string{"type": "keyDown", "value": key},
			map[string]string{"type": "keyUp", "value": key})
		if shift {
			actions, shift = append(actions, map[string]string{"type": "keyUp", "value": keyShift}), false
		}
	}
	b.call(http.MethodPost, "/actions", map[string]any{"actions": []any{map[string]any{"type": "key", "id": "keys",
		"actions": actions}}}, nil)
}

// write types a text.
func (b *browser) write(text string) { b.press(strings.Split(text, "")...) }

// devtools sends a command of the DevTools protocol.
func (b *browser) devtools(command string, parameters map[string]any) {
	b.t.Helper()
	b.call(http.MethodPost, "/goog/cdp/execute", map[string]any{"cmd": command, "params": parameters}, nil)
}

// logs returns the messages of a log since the last call.
func (b *browser) logs(kind string) []string {
	b.t.Helper()
	var entries []struct{ Message string }
	b.call(http.MethodPost, "/se/log", map[string]string{"type": kind}, &entries)
	var list []string
	for _, e := range entries {
		list = append(list, e.Message)
	}
	return list
}

// shoot saves a picture of the page in the folder VIEW_PICTURES.
func (b *browser) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("VIEW_PICTURES")
	if dir == "" {
		return
	}
	var packed string
	b.call(http.MethodGet, "/screenshot", nil, &packed)
	picture, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/"+strings.ReplaceAll(name, "/", "-")+".png", picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// newTrap returns the address of a server that counts its requests.
func newTrap(t *testing.T) (string, *atomic.Int64) {
	t.Helper()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(s.Close)
	return s.URL, &asked
}
