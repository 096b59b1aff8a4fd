import type { House } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { describeError } from '#server/kit/log.ts';
import { setMailed, setNextTry, takeUnmailed, type RequestRow } from './sql.ts';

const minute = 60_000;
const atOnce = 5;

/** Mails the operator what visitors asked for; without an operator's address the requests are kept only. */
export function startDemoMails(house: House): Job {
  return runJob('demo-mails', 5_000, house.log, () => mailRequests(house));
}

/** One round; true when more may be due. A mail that fails is tried again, later each time, at most six hours apart. */
export async function mailRequests(house: House): Promise<boolean> {
  const { operatorEmail } = house.env;
  if (operatorEmail === undefined) return false;
  const now = house.now();
  const taken = await takeUnmailed(house.db, now, new Date(now.getTime() + 2 * minute), atOnce);
  for (const request of taken) await mail(house, operatorEmail, request);
  return taken.length === atOnce;
}

async function mail(house: House, to: string, request: RequestRow): Promise<void> {
  try {
    await house.providers.email.send({ to, ...wordsFor(house.env.productName, request), reference: request.id });
    await setMailed(house.db, request.id, house.now());
  } catch (error) {
    house.log.warn({ err: describeError(error as Error), demoRequest: request.id }, 'a demo request was not mailed');
    const wait = Math.min(2 ** Number(request.tries), 360) * minute;
    await setNextTry(house.db, request.id, new Date(house.now().getTime() + wait));
  }
}

function wordsFor(product: string, request: RequestRow): { subject: string; text: string } {
  const { name, practice, email, phone, wish } = request;
  const lines = [
    `${name} of ${practice} would like to see ${product}.`,
    '',
    `Email: ${email}`,
    `Phone: ${phone ?? 'not given'}`,
    ...(wish ? ['', wish] : []),
  ];
  return { subject: `Demo request: ${practice.replace(/\s+/g, ' ')}`, text: lines.join('\n') };
}
