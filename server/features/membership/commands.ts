import { plans, type Plan } from '#contract/membership.ts';
import { findOperatorScope } from '#server/features/office/index.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { UsageError, formatTable, type Command } from '#server/kit/command.ts';
import { pricesOf } from './read-membership.ts';
import { setPrices, type OwnPrices } from './sql.ts';

export const membershipCommands: readonly Command[] = [
  {
    name: 'office prices',
    takes: 'NPI [pilot=ID] [lite=ID] [prime=ID]',
    says: "Shows an office's prices, and sets them: ids of the card provider. `pilot=` takes one back to the default",
    async run({ services, say }, { operands }) {
      const scope = await findOperatorScope(services, operands[0]);
      const wanted = operands.slice(1).map(readPair);
      const { card } = services.providers;
      const ids = wanted.flatMap(([, id]) => (id === null ? [] : [id]));
      const found = await card.readPrices(ids);
      const unknown = ids.find((_id, i) => found[i] === null);
      if (unknown !== undefined) throw new UsageError(`The card provider (${card.name}) has no price ${unknown}.`);
      if (wanted.length > 0)
        await scope.transaction(async (tx) => {
          await setPrices(tx, scope.officeId, Object.fromEntries(wanted));
          const details = { changed: wanted.map(([plan]) => `${plan}Price`).join(' ') };
          await writeAuditEntry(tx, scope, { action: 'settings.change', subject: 'membership', details });
        });
      say((await tableOf(await pricesOf(scope), card)).join('\n'));
    },
  },
];

function readPair(word: string): [Plan, string | null] {
  const [, name, id] = /^(\w+)=([\w-]*)$/.exec(word) ?? [];
  const plan = plans.find((known) => known === name);
  if (!plan) throw new UsageError(`"${word}" is not pilot=ID, lite=ID or prime=ID.`);
  return [plan, id || null];
}

async function tableOf(
  prices: OwnPrices,
  card: { readPrices(ids: readonly string[]): Promise<({ unitCents: number } | null)[]> },
): Promise<string[]> {
  const rows = await Promise.all(
    plans.map(async (plan) => {
      const id = prices[plan];
      const [price] = id === null ? [null] : await card.readPrices([id]);
      return [plan, id ?? '-', price ? `$${(price.unitCents / 100).toFixed(2)}` : '-'];
    }),
  );
  return formatTable(['PLAN', 'PRICE', 'A PROVIDER AND MONTH'], rows);
}
