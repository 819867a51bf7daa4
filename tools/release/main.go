// Command release makes what a release of tracec ships, and the notices of what the command is
// linked with:
//
//	go -C tools/release run . notices                     writes internal/command/notices.txt
//	go -C tools/release run . build -o DIR -version V     writes archives, bills of materials and check sums to DIR
//
// The same sources and the same Go give the same bytes in every folder and on every machine.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// repository is the root of tracec, seen from the folder of this module.
const repository = "../.."

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("which work: notices or build?")
	}
	switch args[0] {
	case "notices":
		text, err := notices()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(repository, "internal", "command", "notices.txt"), text, 0o644)
	case "build":
		f := flag.NewFlagSet("build", flag.ContinueOnError)
		dir := f.String("o", "dist", "write to `DIR`, seen from the root of the repository")
		version := f.String("version", "", "the `VERSION` to build, such as v1.2.3")
		if err := f.Parse(args[1:]); err != nil {
			return err
		}
		if *version == "" {
			return errors.New("build: -version says what is released")
		}
		if !filepath.IsAbs(*dir) {
			*dir = filepath.Join(repository, *dir)
		}
		return buildAll(*dir, *version)
	}
	return fmt.Errorf("%q is neither notices nor build", args[0])
}
