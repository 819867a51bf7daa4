package perf

import (
	"math/bits"
	"strconv"
)

// Feature is the number of a section after the records, and of a record HEADER_FEATURE (perf.md 7).
type Feature int

// The features that perf 3.2 to 7.2 write.
const (
	FeatureTracing Feature = iota + 1
	FeatureBuildID
	FeatureHost
	FeatureRelease
	FeatureVersion
	FeatureArch
	FeatureCPUs
	FeatureCPUDesc
	FeatureCPUID
	FeatureMemory
	FeatureCommandLine
	FeatureEventDesc
	FeatureTopology
	FeatureNodes
	FeatureBranches
	FeaturePMUs
	FeatureGroups
	FeatureAux
	FeatureStat
	FeatureCaches
	FeatureSampleTime
	FeatureMemoryMap
	FeatureClockID
	FeatureDirectory
	FeatureBPFPrograms
	FeatureBTF
	FeatureCompressed
	FeatureCPUCaps
	FeatureClockData
	FeatureHybrid
	FeaturePMUCaps
	FeatureDomains
	FeatureMachine
	FeatureLineSize

	mostFeatures = 256
)

// featureNames are the names that perf prints, by number.
var featureNames = [...]string{
	"", "TRACING_DATA", "BUILD_ID", "HOSTNAME", "OSRELEASE", "VERSION", "ARCH", "NRCPUS", "CPUDESC", "CPUID",
	"TOTAL_MEM", "CMDLINE", "EVENT_DESC", "CPU_TOPOLOGY", "NUMA_TOPOLOGY", "BRANCH_STACK", "PMU_MAPPINGS",
	"GROUP_DESC", "AUXTRACE", "STAT", "CACHE", "SAMPLE_TIME", "MEM_TOPOLOGY", "CLOCKID", "DIR_FORMAT",
	"BPF_PROG_INFO", "BPF_BTF", "COMPRESSED", "CPU_PMU_CAPS", "CLOCK_DATA", "HYBRID_TOPOLOGY", "PMU_CAPS",
	"CPU_DOMAIN_INFO", "E_MACHINE", "CLN_SIZE",
}

// Known reports whether the package reads the feature.
func (f Feature) Known() bool { return f > 0 && int(f) < len(featureNames) }

// String returns perf's name of the feature, or its number.
func (f Feature) String() string {
	if f.Known() {
		return featureNames[f]
	}
	return strconv.Itoa(int(f))
}

// isMark reports whether sections of the feature have no contents.
func (f Feature) isMark() bool { return f == FeatureBranches || f == FeatureStat }

// Section is the place of a feature in the first file of a recording.
type Section struct {
	Feature      Feature
	Offset, Size int64
	// Damaged is set if the contents could not be read to their end.
	Damaged bool
}

// Has reports whether the recording has a feature.
func (i *Info) Has(f Feature) bool { return i.section(f) != nil }

func (i *Info) section(f Feature) *Section {
	for n := range i.Sections {
		if i.Sections[n].Feature == f {
			return &i.Sections[n]
		}
	}
	return nil
}

// featuresOf returns the features of the bits that are set.
func (o order) featuresOf(words []byte) (list []Feature) {
	var set [mostFeatures / 64]uint64
	for i := range set {
		set[i] = o.u64(words[8*i:])
	}
	if o.big && set[0]&(1<<FeatureHost) == 0 && set[0]>>32&(1<<FeatureHost) != 0 { // words of 4 bytes
		for i, word := range set {
			set[i] = bits.RotateLeft64(word, 32)
		}
	}
	for n := range Feature(mostFeatures) {
		if set[n/64]>>(n%64)&1 != 0 {
			list = append(list, n)
		}
	}
	return list
}
