import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Lane {
  command: string[];
  env?: NodeJS.ProcessEnv;
}

export interface LaneResult {
  code: number | null;
  printed: string;
}

/** Runs commands concurrently. Their output appears as it comes, each line prefixed with its lane's number. */
export const runLanes = (lanes: Lane[]): Promise<LaneResult[]> =>
  Promise.all(lanes.map((lane, i) => runCommand(lane, `${i + 1}| `)));

/** Runs a command. Its output appears as it comes, each line behind the prefix. */
export function runCommand({ command: [program = '', ...args], env }: Lane, prefix: string): Promise<LaneResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    createInterface(child.stdout).on('line', (line) => {
      printed += `${line}\n`;
      process.stdout.write(`${prefix}${line}\n`);
    });
    child.once('error', reject).once('close', (code) => resolve({ code, printed }));
  });
}
