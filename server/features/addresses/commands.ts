import { UsageError, type CommandArguments, type Command, type CommandContext } from '#server/kit/command.ts';
import { importNppes } from './import.ts';
import { openNppes } from './nppes-file.ts';
import { progressBar } from './progress-bar.ts';

export const addressCommands: readonly Command[] = [
  {
    name: 'import-nppes',
    takes: 'FILE [--individuals] [--again] [--fewer]',
    says: 'Loads the monthly NPPES file (.csv or the .zip of CMS) for the address search: organisations, with --individuals people too. Killed, it goes on where it was; --again takes a file that is in already, --fewer one with far fewer practices',
    switches: ['individuals', 'again', 'fewer'],
    run: importFile,
  },
];

async function importFile(
  { services, ownerUrl, say }: CommandContext,
  { operands, switches }: CommandArguments,
): Promise<void> {
  const [path, ...rest] = operands;
  if (!path || rest.length > 0) throw new UsageError('Which file? script/anteroom import-nppes FILE');
  const file = await openNppes(path);
  const read = progressBar(file.bytes, say);
  try {
    const wishes = {
      individuals: switches.has('individuals'),
      again: switches.has('again'),
      fewer: switches.has('fewer'),
    };
    const done = await importNppes(ownerUrl, file, wishes, {
      read,
      say,
      now: services.now,
    });
    if (done.outcome === 'already')
      return say(`${file.name} is in already: ${done.addresses} addresses. --again loads it anew.`);
    if (done.resumedAt !== null) say('It went on where an earlier import of this file was cut short.');
    say(
      `${done.addresses.toLocaleString('en')} addresses are in service. Read in ${seconds(done.readMs)}, built in ${seconds(done.buildMs)}.`,
    );
  } finally {
    await file.close();
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
