import { readFile } from 'node:fs/promises';
import { findOperatorScope } from '#server/features/office/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import {
  UsageError,
  formatTable,
  type CommandArguments,
  type Command,
  type CommandContext,
} from '#server/kit/command.ts';
import { sendHint } from '#server/kit/db/statements.ts';
import { builtInForms } from './definition-sql.ts';
import { addBuiltInForm, addOwnForm } from './definitions.ts';
import { findingMessages } from './finding-messages.ts';
import { addRemoteLists } from './remote-lists.ts';

export const formCommands: readonly Command[] = [
  {
    name: 'form load',
    takes: 'FILE [--office NPI]',
    says: 'Loads a FHIR R4 Questionnaire, for every office or for one. A new one of a known type is its next version.',
    options: ['office'],
    run: load,
  },
  { name: 'form list', takes: '', says: 'Lists the forms every office has, each in its newest version.', run: list },
];

async function load({ services, say }: CommandContext, { operands, options }: CommandArguments): Promise<number> {
  const [file] = operands;
  if (file === undefined) throw new UsageError('Which file? Give a FHIR R4 Questionnaire as JSON.');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`"${file}" could not be read.`);
  });
  const { findings, definition } = await addRemoteLists(text, 'operator', services.providers.terminology);
  for (const line of findingMessages(findings)) say(line);
  if (!definition) {
    say('Nothing was loaded.');
    return 1;
  }
  const { type, name } = definition;
  if (options.office === undefined) {
    const { version, isNew } = await addBuiltInForm(services, definition);
    say(
      isNew
        ? `"${name.en}" is now ${type}, version ${version}, for every office.`
        : `${type} is already that (version ${version}).`,
    );
    return 0;
  }
  const scope = await findOperatorScope(services, options.office);
  const added = await scope.transaction(async (tx) => {
    const origin = { officeId: scope.officeId, id: scope.id(), at: scope.now(), by: null };
    const done = await addOwnForm(tx, origin, definition);
    if (done.isNew) {
      await writeAuditEntry(tx, scope, {
        action: 'form.load',
        subject: done.id,
        details: { form: type, version: done.version },
      });
      await sendHint(tx, { office: scope.officeId, type: 'settings' });
    }
    return done;
  });
  say(
    added.isNew
      ? `"${name.en}" is now ${type}, version ${added.version}, for that office. It is asked once the office switches it on.`
      : `${type} is already that (version ${added.version}).`,
  );
  return 0;
}

async function list({ services, say }: CommandContext): Promise<void> {
  const rows = await builtInForms(services.db);
  const lines = rows.map(({ type, version, name, createdAt }) => [
    type,
    String(version),
    (name as { en: string }).en,
    createdAt.toISOString().slice(0, 10),
  ]);
  for (const line of formatTable(['TYPE', 'VERSION', 'NAME', 'SINCE'], lines)) say(line);
}
