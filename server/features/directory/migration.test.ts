import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '#server/kit/db/migrate.ts';
import { addRowsBefore, firstRelease } from '#testing/fixtures/first-release-rows.ts';

test('the upgrade to the directory makes every patient, family member and birthday findable', async () => {
  const server = process.env.TEST_SERVER_URL ?? '';
  const name = `directory_${randomUUID().slice(0, 8)}`;
  const onServer = new pg.Client({ connectionString: server });
  await onServer.connect();
  await onServer.query(`create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  const client = new pg.Client({ connectionString: url });
  try {
    await migrate(url, undefined, { last: firstRelease });
    await client.connect();
    const { offices, today } = await addRowsBefore(client);
    const [office] = offices;
    await client.query(
      `insert into visit_member (office_id, id, visit_id, position, first_name, last_name, birth_date)
       values ($1, $2, $3, 7, 'Zoë', 'O’Neil', '2019-02-28')`,
      [office, randomUUID(), today.id],
    );
    await migrate(url);
    const { rows: found } = await client.query<{ word: string }>(
      `select w.word from patient_word w join visit v on v.office_id = w.office_id and v.patient_id = w.patient_id
       where v.office_id = $1 and v.id = $2`,
      [office, today.id],
    );
    const digits = today.phone.slice(2);
    expect(found.map(({ word }) => word)).toEqual(
      expect.arrayContaining(['zoe', 'o', 'neil', '20190228', digits, digits.slice(3), digits.slice(6)]),
    );
    const { rows: patients } = await client.query(
      `select 1 from patient p where not exists (select from patient_word w where w.office_id = p.office_id and w.patient_id = p.id)`,
    );
    expect(patients).toEqual([]);
  } finally {
    await client.end();
    await onServer.query(`drop database if exists ${name} with (force)`);
    await onServer.end();
  }
});
