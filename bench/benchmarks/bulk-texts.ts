import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';
import { median, ms, ratio, type Line } from '#bench/ground/report-lines.ts';

const people = 10_000;
const rounds = 5;
const message = 'The office is closed tomorrow because of the weather. Please call us to choose another day.';

/** All exchanges but those of services (211) and of pay-per-call numbers. */
const exchanges = Array.from({ length: 800 }, (_, i) => 200 + i).filter((of) => of % 100 !== 11 && of !== 976);
const phone = (n: number) =>
  `+1646${exchanges[n % exchanges.length]}${String(Math.floor(n / exchanges.length)).padStart(4, '0')}`;

/** A text to 10,000 numbers: validated, opt-outs left out, spread over time and saved; compared with COPY of the same rows. */
export async function bulkTexts(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const owner = new pg.Client({ connectionString: ground.url });
  await owner.connect();
  try {
    const [office, beside] = await addOffices(ground, 2, 0);
    if (!office || !beside) throw new Error('there are no offices');
    await owner.query(
      'insert into opt_out (office_id, id, phone, at) select $1, gen_random_uuid(), phone, now() from unnest($2::text[]) phone',
      [office.id, Array.from({ length: (people * (rounds + 1)) / 20 }, (_, i) => phone(i * 20))],
    );
    const { url } = await ground.server();
    const copied: number[] = [];
    const sent: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const phones = Array.from({ length: people }, (_, i) => phone(round * people + i));
      const copyTook = await copyTexts(owner, beside.id, phones);
      const sendTook = await sendTexts(url, office, phones);
      // The first round warms both up.
      if (round > 0) {
        copied.push(copyTook);
        sent.push(sendTook);
      }
      // The server reads about one large body a second from one network.
      await sleep(1_000);
    }
    const times = median(sent.map((took, i) => took / (copied[i] ?? Number.NaN)));
    return [
      {
        what: `a text to ${people.toLocaleString('en')} numbers accepted`,
        figure: `${ms(median(sent))} = ${ratio(times)}`,
        beside: `COPY of the rows ${ms(median(copied))}`,
        aim: '≤ 5x',
        met: times <= 5,
      },
    ];
  } finally {
    await owner.end();
    await ground.close();
  }
}

async function copyTexts(owner: pg.Client, officeId: string, phones: string[]): Promise<number> {
  const at = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const lines = phones.map(
    (phone) => `${officeId}\t${randomUUID()}\tmessage\t+13125550001\t${phone}\t${message}\tqueued\t${at}\t${at}\n`,
  );
  const started = performance.now();
  await pipeline(
    Readable.from([lines.join('')]),
    owner.query(
      copyFrom('copy text (office_id, id, kind, from_phone, to_phone, body, state, send_at, created_at) from stdin'),
    ),
  );
  return performance.now() - started;
}

async function sendTexts(url: string, office: { id: string; token: string }, phones: string[]): Promise<number> {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString();
  const body = JSON.stringify({ message, deliveryOptions: phones.map((phoneNumber) => ({ phoneNumber, sendAt })) });
  const started = performance.now();
  const answer = await fetch(`${url}/api/sms`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${office.token}`,
      'x-office': office.id,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body,
  });
  const { accepted = 0 } = (await answer.json()) as { accepted?: number };
  if (!answer.ok || accepted < people * 0.8) throw new Error(`answered ${answer.status}, ${accepted} accepted`);
  return performance.now() - started;
}
