import { afterAll, expect, test } from 'vitest';
import { openHouse } from '#testing/house.ts';
import { seedDemo } from './demo.ts';
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
