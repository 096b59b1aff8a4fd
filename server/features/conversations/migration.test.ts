import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '#server/kit/db/migrate.ts';
import { addRowsBefore, firstRelease } from '#testing/fixtures/first-release-rows.ts';

/** The newest migration before conversations. */
const before = '0176_sms_outbox.sql';
/** A migration before texts of Send SMS became the practice's messages. */
const beforeLists = '0313_callback_push.sql';

test('the upgrade to conversations loses no message and no reply', async () => {
  const server = process.env.TEST_SERVER_URL ?? '';
  const name = `conversations_${randomUUID().slice(0, 8)}`;
  const onServer = new pg.Client({ connectionString: server });
  await onServer.connect();
  await onServer.query(`create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString();
  const client = new pg.Client({ connectionString: url });
  try {
    await migrate(url, undefined, { last: firstRelease });
    await client.connect();
    const rows = await addRowsBefore(client);
    await migrate(url, undefined, { last: before });
    const [office] = rows.offices;
    const minutesAgo = (minutes: number) => new Date(rows.now.getTime() - minutes * 60_000);
    const reply = async (visit: { id: string; phone: string } | null, body: string, minutes: number, given = {}) => {
      const { phone = visit?.phone, keyword = null } = given as { phone?: string; keyword?: string };
      const [id, provider, at] = [randomUUID(), `IN-${randomUUID()}`, minutesAgo(minutes)];
      await client.query(
        `insert into text_reply (office_id, id, provider_id, from_phone, visit_id, keyword, body, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [office, id, provider, phone, visit?.id ?? null, keyword, body, at],
      );
      if (visit && body.trim() !== '')
        await client.query(
          `insert into message (office_id, id, visit_id, at, sender, kind, body) values ($1, $2, $3, $4, 'patient', 'message', $5)`,
          [office, randomUUID(), visit.id, at, body],
        );
      return provider;
    };
    const shown = await reply(rows.today, 'Which door?', 5);
    const twice = [await reply(rows.today, 'Hello?', 4), await reply(rows.today, 'Hello?', 4)];
    const wordless = await reply(rows.today, ' ', 3);
    const stranger = await reply(null, 'Do you take walk-ins?', 2, { phone: '+12125550177' });
    const stop = await reply(rows.longAgo, 'STOP', 1, { keyword: 'stop' });
    await client.query(
      `insert into message (office_id, id, visit_id, at, sender, kind, by_name, body) values ($1, $2, $3, $4, 'office', 'message', 'Dana', 'Second door')`,
      [office, randomUUID(), rows.today.id, minutesAgo(1)],
    );
    const messagesBefore = await client.query<{ id: string; body: string; visit_id: string }>(
      'select id, body, visit_id, at from message order by id',
    );

    await client.query(`update text set state = 'held' where to_phone = $1`, [rows.waiting.phone]);

    await migrate(url, undefined, { last: beforeLists });
    await client.query(`update text set send_by = 'Dana' where to_phone = $1`, [rows.waiting.phone]);
    await migrate(url);
    const all = async (statement: string, values: unknown[] = []) =>
      (await client.query<Record<string, unknown>>(statement, values)).rows;
    const kept = await all('select id, body, visit_id, at from message where id = any($1) order by id', [
      messagesBefore.rows.map(({ id }) => id),
    ]);
    expect(kept).toEqual(messagesBefore.rows);
    const replies = await all(
      'select provider_id, body, keyword from message where provider_id is not null order by at',
    );
    expect(replies.map(({ provider_id }) => provider_id).sort()).toEqual(
      [shown, ...twice, wordless, stranger, stop].sort(),
    );
    expect(replies.at(-1)).toMatchObject({ body: 'STOP', keyword: 'stop' });
    expect(await all('select count(*)::int as n from message')).toEqual([{ n: messagesBefore.rows.length + 2 }]);

    const conversation = async (phone: string) =>
      (
        await all(
          `select c.search_name, c.last_sequence, c.last_body, c.last_sender, c.unread, c.unanswered, c.failed, array_agg(m.sender order by m.sequence) as senders,
             array_agg(m.sequence order by m.sequence) as sequences
           from conversation c join message m on m.office_id = c.office_id and m.conversation_id = c.id
           where c.phone = $1 group by c.office_id, c.id`,
          [phone],
        )
      )[0];
    expect(await conversation(rows.today.phone)).toEqual({
      search_name: 'ada byron 2125550101',
      last_sequence: 6,
      last_body: 'Second door',
      last_sender: 'doctor',
      unread: 0,
      unanswered: false,
      failed: false,
      senders: ['bot', 'patient', 'patient', 'patient', 'patient', 'doctor'],
      sequences: [1, 2, 3, 4, 5, 6],
    });
    expect(await conversation('+12125550177')).toMatchObject({ search_name: '2125550177', unanswered: true });
    expect(await conversation(rows.longAgo.phone)).toMatchObject({ unanswered: false, last_body: 'STOP' });
    expect(await conversation(rows.waiting.phone)).toMatchObject({
      failed: true,
      last_sender: 'doctor',
      senders: ['doctor', 'doctor'],
    });
    expect(await all(`select to_regclass('text_reply') as gone`)).toEqual([{ gone: null }]);
  } finally {
    await client.end();
    await onServer.query(`drop database if exists ${name} with (force)`);
    await onServer.end();
  }
});
