import { afterAll, describe, expect, test } from 'vitest';
import { verifyOffice } from '#server/features/audit/index.ts';
import { sealAll } from '#server/features/audit/seal.ts';
import { asOffice } from '#server/kit/db.ts';
import { openHouse } from '#testing/house.ts';
import { clearDemo, continueDemo, seedDemo } from './demo.ts';
import { demoOffices } from './offices.ts';

const house = await openHouse();
afterAll(() => house.close());

test('two processes that start at once seed each demo office, its people and its morning once', async () => {
  const second = await openHouse({ beside: house });
  await Promise.all([house, second].map((h) => seedDemo(h.house, house.url, { bigQueue: false })));
  await second.close();
  const people = await house.owner.selectFrom('auth.identity').select('value').where('value', 'like', '%@%').execute();
  const emails = demoOffices.flatMap(({ staff }) => staff.flatMap(({ email }) => email ?? []));
  expect(people.map(({ value }) => value).filter((value) => emails.includes(value))).toHaveLength(emails.length);
  for (const { office } of demoOffices) {
    const { rows } = await house.house.pool.query<{ id: string }>('select door_office_by_npi($1) as id', [office.npi]);
    const visits = await house.inOffice({ ...house.maple, id: rows[0]?.id ?? '' }, (tx) =>
      tx.selectFrom('visit').select('phone').execute(),
    );
    expect(visits.length).toBe({ '1234567893': 15, '2000000010': 12 }[office.npi] ?? 4);
  }
});

test('a first start that was cut short between an office and its people is finished by the next', async () => {
  await house.owner
    .deleteFrom('auth.person')
    .where('name', '=', 'Dana Whitlock')
    .where('language', 'is', null)
    .execute();
  await seedDemo(house.house, house.url, { bigQueue: false });
  const back = await house.owner
    .selectFrom('auth.identity')
    .select('id')
    .where('value', '=', 'front@maple.test')
    .execute();
  expect(back).toHaveLength(1);
});

describe('the audit log of the demo', () => {
  const findings = async () => {
    const found = [];
    for (const { office } of demoOffices) {
      const { rows } = await house.house.pool.query<{ id: string }>('select door_office_by_npi($1) as id', [
        office.npi,
      ]);
      const verdict = await verifyOffice(house.house, rows[0]?.id ?? '');
      expect(verdict.sealed).toBeGreaterThan(0);
      found.push(...verdict.findings);
    }
    return found;
  };
  /** The sealer runs every minute, and first of all when the process starts. */
  const liveOn = async () => {
    await sealAll(house.house);
    for (let more = true; more;) {
      house.later(1);
      more = await continueDemo(house.house);
      await sealAll(house.house);
    }
  };

  test('has no finding after a start at noon, after a night in which the machine slept, and after a reset', async () => {
    house.at('2026-03-03T17:00:00.000Z');
    await seedDemo(house.house, house.url, { bigQueue: false });
    await sealAll(house.house);
    expect(await findings()).toEqual([]);
    await liveOn();
    expect(await findings()).toEqual([]);

    house.at('2026-03-04T20:30:00.000Z');
    await liveOn();
    expect(await findings()).toEqual([]);

    await clearDemo(house.url, house.env.dataDir);
    await seedDemo(house.house, house.url, { bigQueue: false });
    await liveOn();
    expect(await findings()).toEqual([]);
  });

  test('has a finding for an entry that somebody dated back', async () => {
    const { rows } = await house.house.pool.query<{ id: string }>('select door_office_by_npi($1) as id', [
      demoOffices[0]?.office.npi,
    ]);
    const officeId = rows[0]?.id ?? '';
    const dated = new Date(house.now().getTime() - 30 * 60_000);
    await asOffice(house.house.db, officeId, (tx) =>
      tx.insertInto('auditEntry').values({ officeId, at: dated, actor: 'staff', action: 'visit.move' }).execute(),
    );
    expect(await findings()).toMatchObject([{ what: 'inserted' }]);
    await sealAll(house.house);
    expect(await findings()).toMatchObject([{ what: 'inserted' }]);
  });
});
