import { officeRow } from '#server/office-row.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { formatTable, type Command } from '#server/kit/command.ts';
import { findOperatorScope } from '#server/features/office/index.ts';
import { confirmOffice, limitOffice } from './confirm-practice.ts';
import { limitedPractices } from './limited-practices.ts';

export const confirmationCommands: readonly Command[] = [
  {
    name: 'office limited',
    takes: '',
    says: 'New practices that nobody has confirmed yet, the oldest first',
    async run({ services, say }) {
      const practices = await limitedPractices(services);
      const rows = practices.map(({ npi, name, address, createdAt, isSigned, registeredBy }) => [
        npi,
        name,
        address,
        createdAt.toISOString().slice(0, 10),
        isSigned ? 'signed' : 'not signed',
        registeredBy,
      ]);
      if (rows.length === 0) say('Every practice is confirmed.');
      else
        for (const line of formatTable(['NPI', 'PRACTICE', 'ADDRESS', 'SINCE', 'AGREEMENT', 'STAFF'], rows)) say(line);
    },
  },
  {
    name: 'office confirm',
    takes: 'NPI',
    says: 'Confirms a new practice: it may then write its own texts, text any patient and use its own questionnaires',
    async run({ services, say }, { operands }) {
      const { officeId } = await findOperatorScope(services, operands[0]);
      const scope = officeScope(services, officeId, { kind: 'operator', id: null, name: null }, 'operator');
      const { isNew, name } = await scope.transaction(async (tx) => ({
        name: (await officeRow(tx, officeId)).name,
        isNew: await confirmOffice(tx, scope, 'operator'),
      }));
      say(isNew ? `Confirmed ${name}.` : `${name} is already confirmed.`);
    },
  },
  {
    name: 'office limit',
    takes: 'NPI',
    says: 'Takes a confirmation back, after a complaint for example: the practice is limited like a new one until it is confirmed again',
    async run({ services, say }, { operands }) {
      const { officeId } = await findOperatorScope(services, operands[0]);
      const scope = officeScope(services, officeId, { kind: 'operator', id: null, name: null }, 'operator');
      const { held, name } = await scope.transaction(async (tx) => ({
        name: (await officeRow(tx, officeId)).name,
        held: await limitOffice(tx, scope),
      }));
      if (held === null) return say(`${name} is already limited.`);
      const texts = held > 0 ? ` ${held} of its texts that waited are held.` : '';
      say(`${name} is limited until it is confirmed again.${texts}`);
    },
  },
];
