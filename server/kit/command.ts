import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Services } from '#server/context.ts';
import type { Db } from './db/db.ts';

/** What a command gets from the process. */
export interface CommandContext {
  services: Services;
  /** The owner's login, for what the app's role may not do. */
  owner: Db;
  /** The owner's URL, for commands that need their own connection. */
  ownerUrl: string;
  say(line: string): void;
}

export interface CommandArguments {
  /** The arguments after the command's name that belong to no option. */
  operands: string[];
  options: Record<string, string | undefined>;
  switches: Set<string>;
}

/** One command of `script/anteroom`. */
export interface Command {
  /** What an operator types, such as `office show`. */
  name: string;
  /** The arguments after the name, as help shows them. */
  takes: string;
  says: string;
  /** Options with a value, and those without. */
  options?: readonly string[];
  switches?: readonly string[];
  /** Returns an exit code other than 0. */
  run(desk: CommandContext, asked: CommandArguments): Promise<number | void>;
}

/** A command that opens the database itself, or none at all. */
export type StandaloneCommand = Omit<Command, 'run'> & {
  run(asked: CommandArguments, say: (line: string) => void): Promise<number | void>;
};

/** The operator's mistake. It is printed without a stack; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Finds the typed command and runs it; returns the exit code. */
export async function runCommand(commands: readonly Command[], typed: string[], desk: CommandContext): Promise<number> {
  const command = findCommand(commands, typed);
  return (await command.run(desk, readArguments(command, typed.slice(command.name.split(' ').length)))) ?? 0;
}

/** Runs a command that needs nothing opened; returns the exit code. */
export async function runStandalone(
  command: StandaloneCommand,
  typed: string[],
  say: (line: string) => void,
): Promise<number> {
  return (await command.run(readArguments(command, typed.slice(command.name.split(' ').length)), say)) ?? 0;
}

/** The command that was typed; throws UsageError if there is none. */
export function findCommand<C extends Pick<Command, 'name'>>(commands: readonly C[], typed: string[]): C {
  const found = commands.find(({ name }) => name === typed.slice(0, name.split(' ').length).join(' '));
  if (found) return found;
  const near = commands.filter(({ name }) => name.split(' ')[0] === typed[0]).map(({ name }) => name);
  throw new UsageError(
    near.length > 0
      ? `"${typed.join(' ')}" is no command. There is: ${near.join(', ')}.`
      : `There is no command "${typed[0] ?? ''}".`,
  );
}

function readArguments(command: Omit<Command, 'run'>, typed: string[]): CommandArguments {
  const { options = [], switches = [] } = command;
  const config: ParseArgsConfig['options'] = Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' as const }]),
    ...switches.map((name) => [name, { type: 'boolean' as const }]),
  ]);
  try {
    const { values, positionals }: { values: Record<string, unknown>; positionals: string[] } = parseArgs({
      args: typed,
      options: config,
      allowPositionals: true,
    });
    return {
      operands: positionals,
      options: Object.fromEntries(options.map((name) => [name, values[name] as string | undefined])),
      switches: new Set(switches.filter((name) => values[name] === true)),
    };
  } catch (error) {
    throw new UsageError(`${(error as Error).message} Usage: ${usage(command)}`);
  }
}

/** A command's usage line. */
export const usage = ({ name, takes }: Pick<Command, 'name' | 'takes'>) => `script/anteroom ${name} ${takes}`.trim();

/** Rows under their headings, with aligned columns and no trailing spaces. */
export function formatTable(headings: string[], rows: string[][]): string[] {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => (row[i] ?? '').length)));
  return [headings, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
