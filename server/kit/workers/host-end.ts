/** How the worker host ended without having been asked to. */
export interface HostEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** The parts of its last output that cannot contain a patient's data. */
  trace: string;
}

/** What can be logged of a crashed process's output: the names of errors, positions in the code, and V8's fatal errors. */
export function traceOf(output: string): string {
  return output
    .split('\n')
    .flatMap((line) => /^ +at .*|^FATAL ERROR: [\w :-]+|^(?:Uncaught )?[A-Z]\w*Error\b/.exec(line)?.[0] ?? [])
    .join('\n');
}
