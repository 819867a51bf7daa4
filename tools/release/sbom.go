package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

// materials returns the bill of materials of a binary, in CycloneDX 1.6: the modules that the
// linker itself recorded.
func materials(info *buildinfo.BuildInfo, version string) ([]byte, error) {
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Component: &cyclonedx.Component{
		BOMRef: "tracec", Type: cyclonedx.ComponentTypeApplication, Name: info.Main.Path, Version: version,
		PackageURL: purl(info.Main.Path, version), Licenses: licensed("Apache-2.0"),
	}}
	list := []cyclonedx.Component{{
		BOMRef: "go", Type: cyclonedx.ComponentTypeFramework, Name: "go",
		Version:    strings.TrimPrefix(info.GoVersion, "go"),
		PackageURL: "pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go"), Licenses: licensed("BSD-3-Clause"),
	}}
	refs := []string{"go"}
	for _, m := range info.Deps {
		c := cyclonedx.Component{
			BOMRef: m.Path, Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version,
			PackageURL: purl(m.Path, m.Version), Licenses: licensed(licences[m.Path]),
		}
		if sum, ok := hash(m.Sum); ok {
			c.Properties = &[]cyclonedx.Property{{Name: "go:sum:sha256", Value: sum}}
		}
		list, refs = append(list, c), append(refs, m.Path)
	}
	bom.Components = &list
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: "tracec", Dependencies: &refs}}
	var b bytes.Buffer
	e := cyclonedx.NewBOMEncoder(&b, cyclonedx.BOMFileFormatJSON)
	e.SetPretty(true)
	err := e.EncodeVersion(bom, cyclonedx.SpecVersion1_6)
	return b.Bytes(), err
}

func purl(path, version string) string { return "pkg:golang/" + path + "@" + version }

func licensed(expression string) *cyclonedx.Licenses {
	if strings.Contains(expression, " ") {
		return &cyclonedx.Licenses{{Expression: expression}}
	}
	return &cyclonedx.Licenses{{License: &cyclonedx.License{ID: expression}}}
}

// hash returns what go.sum says of a module: "h1:" and a SHA-256 over the list of its files, in
// base64.
func hash(sum string) (string, bool) {
	text, ok := strings.CutPrefix(sum, "h1:")
	raw, err := base64.StdEncoding.DecodeString(text)
	return hex.EncodeToString(raw), ok && err == nil
}
