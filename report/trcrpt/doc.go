// Package trcrpt prints AIX recordings as the AIX command trcrpt does: columns,
// headings, pages, and the options that select events.
//
// [Run] prints a report. AIX recordings do not describe their events: templates
// do. [Rules] decide what IBM's documentation leaves open; aix.md is
// docs/spec/aix.md.
//
// # Choices
//
// IBM's pages do not settle everything. Rules, which a user can change one by one, decide the
// meaning of templates and the reading of recordings. The report itself makes these assumptions,
// each in one place:
//
//   - Widths and order of the columns CPU, SYSTEM CALL and of the short time (aix.md 5.1):
//     newColumns. The columns CPUS (-O reportedcpus=on), FILE NAME (-O filename=on) and PURR are
//     our own altogether.
//   - A value that is wider than its column is never cut, except for process names (14 characters,
//     as published). It takes from the blanks of the columns after it, then the rest of the line
//     moves right.
//   - A line begun by `\n` starts at the nominal column of the event's level, even if the first
//     line had to begin elsewhere.
//   - Tab stops are 8 apart, counted from the beginning of the line's text. With L=0 the first is 3
//     (aix.md 4.9).
//   - The elapsed time counts from the first event that is neither of hook 003 nor 00A nor among
//     the initial conditions of a log file: they describe the system and may be older. The delta
//     of the first line also counts from there.
//   - -O timestamp=2 is the field of timestamp=0 in microseconds. timestamp=4 is refused: it is not
//     documented.
//   - The heading block is the output of events with L=0 before all others, between two empty
//     lines. Options that select events do not apply to events of L=0; -h omits hooks 003 and 00A.
//   - -O removedups=on omits an event with the same bytes as the event printed before it.
//   - A page breaks between events, before the one that does not fit.
//   - Templates of unselected events do not run: timers do not start there.
//   - Groups of events come from a file of ODM stanzas (ParseGroups): there is no ODM here.
//   - The columns of processes and of system calls need layouts of the hooks that hold them
//     (ParseLayouts), which are not published.
//   - -e and -s need the date on which the trace began. A recording has it in a form that is not
//     published: Options.Began.
package trcrpt
