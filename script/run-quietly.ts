import { spawnSync } from 'node:child_process';

/** Announces a slow command, runs it without its output, and prints the end of its output if it fails. */
export function runQuietly(what: string, command: string, args: string[]): boolean {
  process.stderr.write(`${what} ...\n`);
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1e9,
    shell: process.platform === 'win32',
  });
  if (status === 0) return true;
  const said = `${stdout ?? ''}\n${stderr ?? ''}`.trim().split('\n').slice(-30).join('\n');
  process.stderr.write(`${said}\n${error?.message ?? `${command} ${args.join(' ')} failed (${status}).`}\n`);
  return false;
}
