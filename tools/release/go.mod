// The tool that makes releases of tracec, in a module of its own so that users of tracec do not inherit what it needs.
// Used as: go -C tools/release run . -o DIR -version v1.2.3
module github.com/tracec/tracec/tools/release

go 1.26.0

require github.com/CycloneDX/cyclonedx-go v0.12.0
