// Package trcrpt prints AIX recordings as the AIX command trcrpt does: columns, headings, pages,
// and the options that select events.
//
// [Run] prints a report. Templates describe the events, since AIX recordings do not. [Rules] decide
// open points of IBM's documentation. aix.md is docs/spec/aix.md.
//
// # Choices
//
// IBM's pages leave some points open. Rules, which a user can change one by one, decide the meaning
// of templates and the reading of recordings. The report itself makes these assumptions, each in
// one place:
//
//   - Widths and order of the columns CPU, SYSTEM CALL and of the short time (aix.md 5.1):
//     newColumns. The columns CPUS (-O reportedcpus=on), FILE NAME (-O filename=on) and PURR are
//     our own.
//   - A value that is wider than its column is not cut, except for process names (14 characters,
//     as published). It uses the blanks of the columns after it. Then the rest of the line moves
//     right.
//   - A line begun by `\n` starts at the nominal column of the event's level, even if the first
//     line had to begin elsewhere.
//   - Tab stops are 8 apart, counted from the beginning of the line's text. With L=0 the first is 3
//     (aix.md 4.9).
//   - The elapsed time counts from the first event that does not describe the system. Hooks 003 and
//     00A and the initial conditions of a log file describe the system and may be older. The delta
//     of the first line also counts from there.
//   - -O timestamp=2 is the field of timestamp=0 in microseconds. timestamp=4 is refused, since it
//     is not documented.
//   - The heading block is the output of events with L=0 before all others, between two empty
//     lines. Options that select events do not apply to events of L=0. -h omits hooks 003 and 00A.
//   - -O removedups=on omits an event with the same bytes as the event printed before it.
//   - A page breaks between events, before the first event that does not fit.
//   - Templates of unselected events do not run. So they do not start timers.
//   - Groups of events come from a file of ODM stanzas (ParseGroups), since there is no ODM here.
//   - The columns of processes and of system calls need the layouts of some hooks (ParseLayouts),
//     which are not published.
//   - -e and -s need the date on which the trace began. A recording has it in a form that is not
//     published: Options.Began.
package trcrpt
