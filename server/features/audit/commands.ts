import type { Services } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { UsageError, type CommandArguments, type Command, type CommandContext } from '#server/kit/command.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officeIdByNpi, officeIds } from '#server/kit/db/office-directory.ts';
import { officeRow } from '#server/office-row.ts';
import { officesWithHeads } from './signed-heads.ts';
import { verifyOffice, type Verdict } from './verify-chain.ts';

export const auditCommands: readonly Command[] = [
  {
    name: 'audit verify',
    takes: '[--office NPI]',
    says: 'Compares the audit log with its chain and the signed heads; exit code 1 if something was tampered with',
    options: ['office'],
    run: verify,
  },
];

const shownAtMost = 20;

async function verify({ services, say }: CommandContext, { options }: CommandArguments): Promise<number> {
  const offices = await officesToVerify(services, options.office);
  let findings = 0;
  for (const { id, npi, name } of offices) {
    const verdict = await verifyOffice(services, id);
    findings += verdict.findings.length;
    for (const line of report(`${name} (${npi})`, verdict)) say(line);
    const scope = officeScope(services, id, { kind: 'operator', id: null, name: null }, 'operator');
    await scope.transaction((tx) =>
      writeAuditEntry(tx, scope, { action: 'audit.verify', details: { findings: verdict.findings.length } }),
    );
  }
  if (options.office === undefined) {
    for (const id of await officesWithHeads(services.env.dataDir)) {
      if (offices.some((office) => office.id === id)) continue;
      findings++;
      say(`FOUND  office ${id} has signed heads, but is not in the database`);
    }
  }
  if (offices.length === 0 && findings === 0) say('There are no offices yet.');
  say(
    findings === 0
      ? 'Nothing was tampered with.'
      : `${findings} ${findings === 1 ? 'thing is' : 'things are'} not as they were chained.`,
  );
  return findings === 0 ? 0 : 1;
}

function* report(office: string, verdict: Verdict): Generator<string> {
  const { chained, lastHead, heads, damagedHeads, unchained, findings } = verdict;
  yield `${office}: ${count(chained, 'entry', 'entries')} chained, ${count(heads, 'signed head', 'signed heads')}.`;
  yield lastHead
    ? `  Chained until place ${lastHead.place}, at ${lastHead.sealedAt}. Entries after it are not chained yet: ${unchained}.`
    : `  No signed head yet: nothing of its ${count(unchained, 'entry', 'entries')} is protected.`;
  if (damagedHeads > 0)
    yield `  ${count(damagedHeads, 'line', 'lines')} in the file store could not be read as a head (a torn write?).`;
  for (const { message, position } of findings.slice(0, shownAtMost))
    yield `  FOUND  ${position === null ? '' : `place ${position}: `}${message}`;
  if (findings.length > shownAtMost) yield `  FOUND  and ${findings.length - shownAtMost} more`;
}

const count = (n: number, singular: string, plural: string) => `${n} ${n === 1 ? singular : plural}`;

async function officesToVerify(
  services: Services,
  npi: string | undefined,
): Promise<{ id: string; npi: string; name: string }[]> {
  const { pool, db } = services;
  const found = npi === undefined ? await officeIds(pool) : [await officeIdByNpi(pool, npi)];
  const ids = found.filter((id) => id !== null);
  if (npi !== undefined && ids.length === 0) throw new UsageError(`No office has the NPI ${npi}.`);
  return Promise.all(ids.map((id) => asOffice(db, id, (tx) => officeRow(tx, id))));
}
