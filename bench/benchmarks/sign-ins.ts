import { addStaff } from '#server/features/office/index.ts';
import { median, ms, percentile, perSecond, ratio, type Line } from '#bench/ground/report-lines.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';

/** Below the global limit on codes in ten minutes. */
const signIns = 840;
const warmUps = 40;
const atOnce = 16;
/** Wrong codes for identifiers that requested a code, and as many for identifiers that did not. */
const guesses = 100;

interface Times {
  askMs: number;
  enterMs: number;
}

/**
 * A code requested and entered, from two processes, each person from a different address through a trusted proxy. Every other person is
 * known.
 */
export async function signInsBench(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const people = Array.from({ length: signIns + warmUps }, (_, i) => ({
      email: `person${i}@bench.test`,
      known: i % 2 === 0,
      address: `198.18.${Math.floor(i / 250)}.${i % 250}`,
    }));
    for (const { email, known } of people)
      if (known) await addStaff(ground.owner, ground.services, { name: 'Bench', email }, []);
    const servers = [
      await ground.server({ TRUST_PROXY: '127.0.0.1' }),
      await ground.server({ TRUST_PROXY: '127.0.0.1' }),
    ];
    const signIn = (person: Person, i: number) =>
      once(ground, (servers[Math.floor(i / 2) % 2] as { url: string }).url, person);

    await inParallel(people.slice(0, warmUps), signIn);
    const began = performance.now();
    const times = await inParallel(people.slice(warmUps), signIn);
    const rate = signIns / ((performance.now() - began) / 1000);

    const { url } = servers[0] as { url: string };
    const wrongTries = await inParallel(
      Array.from({ length: guesses }, (_, i) => i),
      (i) => wrongTry(url, i),
    );
    const [sent, never] = [wrongTries.map(({ sentMs }) => sentMs), wrongTries.map(({ neverMs }) => neverMs)];
    const verifyApart = median(sent) / median(never);

    const asks = (known: boolean) =>
      times.filter((_, i) => people[warmUps + i]?.known === known).map(({ askMs }) => askMs);
    const [known, unknown] = [asks(true), asks(false)];
    const apart = median(known) / median(unknown);
    return [
      {
        what: 'sign-ins, a code asked for and entered, 2 processes',
        figure: `${perSecond(rate)}, p95 of a request ${ms(
          percentile(
            times.flatMap(({ askMs, enterMs }) => [askMs, enterMs]),
            95,
          ),
        )}`,
        beside: `${signIns} people, ${atOnce} at once`,
        aim: '≥ 50/s',
        met: rate >= 50,
      },
      {
        what: 'asking for a code: known beside unknown',
        figure: `${ms(median(known))} = ${ratio(apart)} of unknown`,
        beside: `unknown ${ms(median(unknown))}; p95 ${ms(percentile(known, 95))} and ${ms(percentile(unknown, 95))}`,
        aim: '0.90x to 1.10x',
        met: apart >= 0.9 && apart <= 1.1,
      },
      {
        what: 'trying a wrong code: a code was sent beside never requested',
        figure: `${ms(median(sent))} = ${ratio(verifyApart)} of never requested`,
        beside: `never ${ms(median(never))}; p95 ${ms(percentile(sent, 95))} and ${ms(percentile(never, 95))}`,
        aim: '0.90x to 1.10x',
        met: verifyApart >= 0.9 && verifyApart <= 1.1,
      },
    ];
  } finally {
    await ground.close();
  }
}

interface Person {
  email: string;
  address: string;
}

async function once({ owner }: BenchDatabase, url: string, { email, address }: Person): Promise<Times> {
  const askMs = await timedPost(url, address, '/sign-in/code', { email });
  const { body } = await owner
    .selectFrom('dev.outbox')
    .select('body')
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow();
  const code = /\b\d{6}\b/.exec(body)?.[0];
  const enterMs = await timedPost(url, address, '/sign-in/verify', { email, code });
  return { askMs, enterMs };
}

/** A wrong code for an identifier that requested one, and for one that did not, in alternating order. */
async function wrongTry(url: string, i: number): Promise<{ sentMs: number; neverMs: number }> {
  const address = `198.19.0.${i}`;
  const asked = `asked${i}@bench.test`;
  await timedPost(url, address, '/sign-in/code', { email: asked });
  const guess = (email: string) => timedPost(url, address, '/sign-in/verify', { email, code: '000000' }, 400);
  const unasked = `never${i}@bench.test`;
  if (i % 2 === 0) return { sentMs: await guess(asked), neverMs: await guess(unasked) };
  const neverMs = await guess(unasked);
  return { sentMs: await guess(asked), neverMs };
}

async function timedPost(url: string, address: string, path: string, body: object, status = 200): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  if (answer.status !== status) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - began;
}

/** The results in the order of the items. */
async function inParallel<T, R>(items: T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) answers[i] = await work(items[i] as T, i);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return answers;
}
