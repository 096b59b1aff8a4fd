import { formatTable, type Command } from '#server/kit/command.ts';
import { allClaims } from './npi-claim-sql.ts';

export const registrationCommands: readonly Command[] = [
  {
    name: 'npi-claims',
    takes: '',
    says: 'People who tried to register with the NPI of an existing office, newest first, and whether OPERATOR_EMAIL was notified',
    async run({ services, say }) {
      const claims = await allClaims(services.db);
      const rows = claims.map(({ claimedAt, npi, asker, operatorMailedAt, askedAt, officeMailedAt }) => [
        claimedAt.toISOString().slice(0, 16),
        npi,
        asker ?? '',
        operatorMailedAt ? 'mailed' : 'waiting',
        askedAt ? (officeMailedAt ? 'asked' : 'to be asked') : '-',
      ]);
      if (rows.length === 0) say('Nobody claimed an NPI that is taken.');
      else for (const line of formatTable(['CAME', 'NPI', 'WHO', 'OPERATOR', 'OFFICE'], rows)) say(line);
    },
  },
];
