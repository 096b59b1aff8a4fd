import type { RequestableFeature } from '#contract/feature-requests.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { formatTable, type Command } from '#server/kit/command.ts';
import { officeRow } from '#server/office-row.ts';
import { featureNames } from './mail-requests.ts';
import { requestsOfOffice } from './sql.ts';

/** The setting of an office that says that it has the feature. */
const settingOf = { chat: 'chatEnabled' } as const satisfies Record<RequestableFeature, string>;

export const featureRequestCommands: readonly Command[] = [
  {
    name: 'feature-requests',
    takes: '',
    says: 'Lists the practices that asked for a feature and do not have it, the newest request first, and whether OPERATOR_EMAIL was told.',
    async run({ services, say }) {
      const open = [];
      for (const id of await officeIds(services.pool))
        open.push(
          ...(await asOffice(services.db, id, async (tx) => {
            const { npi, name, settings } = await officeRow(tx, id);
            const requests = await requestsOfOffice(tx, id);
            return requests
              .filter(({ feature }) => settings[settingOf[feature]] !== true)
              .map((request) => ({ ...request, npi, name }));
          })),
        );
      const rows = open
        .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        .map(({ createdAt, npi, name, feature, mailedAt }) => [
          createdAt.toISOString().slice(0, 16),
          npi,
          name,
          featureNames[feature],
          mailedAt ? 'mailed' : 'waiting',
        ]);
      if (rows.length === 0) say('No practice waits for a feature.');
      else for (const line of formatTable(['ASKED', 'NPI', 'PRACTICE', 'FEATURE', 'OPERATOR'], rows)) say(line);
    },
  },
];
