import { spawnSync } from 'node:child_process';

/** Says what takes a while, runs it without its chatter, and tells its last words when it fails. */
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
