import { sql } from 'kysely';
import { bareApp, buildApp } from '#server/app.ts';
import { receiveReply } from '#server/features/texting/index.ts';
import type { BenchOffice } from '#bench/ground/offices.ts';
import type { BenchDatabase } from '#bench/ground/open-ground.ts';

const peoplePerList = 20;

/**
 * Desks that text through the API: lists with scheduled texts, and answers in the inbox. Each call is made twice at once, as by a panel that
 * lost the answer; so each text must be written once. This process sends nothing.
 */
export async function openTextingDesks(ground: BenchDatabase, offices: readonly BenchOffice[]) {
  const { services, owner } = ground;
  const app = await buildApp(bareApp(services.env), services);
  // A list goes out at once, not over hours, and no office reaches its limit.
  await sql`update office set settings = settings || '{"textsPerHour":10000000}'`.execute(owner);
  let calls = 0;
  let accepted = 0;

  const twice = async (office: BenchOffice, url: string, body: object) => {
    const headers = {
      authorization: `Bearer ${office.token}`,
      'x-office': office.id,
      'idempotency-key': `drill-${++calls}`,
    };
    const answers = await Promise.all([1, 2].map(() => app.inject({ method: 'POST', url, headers, payload: body })));
    const bad = answers.find(({ statusCode }) => statusCode !== 200);
    if (bad) throw new Error(`${url} answered ${bad.statusCode}: ${bad.body}`);
    return answers[0]?.json<Record<string, unknown>>();
  };
  const phone = (n: number) => `+1646${String(3_000_000 + n)}`;

  return {
    /** One list, half of it scheduled, and one answer to a patient's text. */
    async text(n: number): Promise<void> {
      const office = offices[n % offices.length] as BenchOffice;
      const later = new Date(Date.now() + 40 * 60_000).toISOString();
      const sent = await twice(office, '/api/sms', {
        message: 'from a list',
        deliveryOptions: Array.from({ length: peoplePerList }, (_, i) => ({
          phoneNumber: phone(n * peoplePerList + i),
          sendAt: i % 2 === 0 ? '' : later,
        })),
      });
      accepted += Number(sent?.accepted);
      // The drill cannot wait 40 minutes.
      await sql`
        update text set send_at = now() + make_interval(secs => 5 * random())
        where office_id = ${office.id} and body = 'from a list' and send_at > now() + interval '30 minutes'
      `.execute(owner);

      const from = phone(n * peoplePerList);
      const { rows } = await sql<{
        phone: string;
      }>`select text_number as phone from office where id = ${office.id}`.execute(owner);
      const question = { providerId: `question-${n}`, from, to: rows[0]?.phone ?? '', body: 'Where do I park?' };
      await receiveReply(services, question, 'drill');
      const found = await owner
        .selectFrom('conversation')
        .select('id')
        .where('officeId', '=', office.id)
        .where('phone', '=', from)
        .executeTakeFirstOrThrow();
      await twice(office, '/api/conversation/send/', {
        conversationId: found.id,
        body: 'an answer',
        clientId: `answer-${n}`,
      });
      accepted += 1;
    },
    /** How many texts the API accepted, and how many are in the ledger. */
    async count(): Promise<{ accepted: number; written: number }> {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from text where body in ('from a list', 'an answer')`.execute(owner);
      return { accepted, written: rows[0]?.n ?? 0 };
    },
    close: () => app.close(),
  };
}
