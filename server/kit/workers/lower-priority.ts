import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A tenth of what another process or session gets, so that a job ends before its deadline beside a busy PostgreSQL, too. */
const niceness = 10;

/**
 * Lowers the priority of this process and of the children it starts: requests and PostgreSQL go first, and jobs use what they leave. Linux
 * compares nice values only within a session where it groups processes by session (autogroup, see sched(7)); there the session has one too,
 * so this process must lead a session of its own.
 */
export function lowerPriority(): void {
  setPriority(niceness);
  try {
    writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // Not Linux, or a kernel without groups: the nice value is enough.
  }
}
