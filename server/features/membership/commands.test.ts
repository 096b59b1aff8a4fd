import { afterAll, expect, test } from 'vitest';
import { membership } from '#contract/index.ts';
import { runCommand, UsageError } from '#server/kit/command.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { membershipCommands } from './commands.ts';

const t = await openTestApp();
afterAll(() => t.close());

async function type(...typed: string[]): Promise<string> {
  const lines: string[] = [];
  const desk = { services: t.services, owner: t.owner, ownerUrl: t.url, say: (line: string) => void lines.push(line) };
  await runCommand(membershipCommands, ['office', 'prices', ...typed], desk);
  return lines.join('\n');
}
const pricesOf = async () => (await t.call(membership.readPrices, { params: { card: 'local' }, query: {} })).body;

test('office prices sets the price ids of one office, and takes them back', async () => {
  expect(await type(t.maple.npi)).toMatch(/pilot +price_local_pilot_9900 +\$99\.00/);
  await type(t.maple.npi, 'pilot=price_local_pilot_8000', 'prime=price_local_prime_18000');
  expect(await pricesOf()).toEqual({ pilot: 8_000, lite: 14_900, prime: 18_000 });
  const other = await t.call(membership.readPrices, { params: { card: 'local' }, query: {} }, { as: t.other });
  expect(other.body).toEqual({ pilot: 9_900, lite: 14_900, prime: 19_900 });
  expect((await t.auditEntries()).at(-1)).toMatchObject({ action: 'settings.change', actor: 'operator' });
  await type(t.maple.npi, 'pilot=');
  expect(await pricesOf()).toMatchObject({ pilot: 9_900, prime: 18_000 });
});

test('office prices refuses a price that the card provider does not have', async () => {
  await expect(type(t.other.npi, 'lite=price_made_up')).rejects.toThrow(UsageError);
  await expect(type(t.other.npi, 'gold=price_local_lite_1')).rejects.toThrow('is not pilot=ID');
});
