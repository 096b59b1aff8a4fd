import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { describeError } from '#server/kit/log.ts';
import { setMailed, setNextTry, takeUnmailed, type RequestRow } from './sql.ts';

const minute = 60_000;
const atOnce = 5;

/** Emails demo requests to the operator; without an operator's address they are only stored. */
export function startDemoMails(services: Services): Job {
  return runJob('demo-mails', 5_000, services.log, () => mailRequests(services));
}

/** One round; true if more may be due. A failed email is retried with growing pauses of up to six hours. */
export async function mailRequests(services: Services): Promise<boolean> {
  const { operatorEmail } = services.env;
  if (operatorEmail === undefined) return false;
  const now = services.now();
  const requests = await takeUnmailed(services.db, now, new Date(now.getTime() + 2 * minute), atOnce);
  for (const request of requests) await mail(services, operatorEmail, request);
  return requests.length === atOnce;
}

async function mail(services: Services, to: string, request: RequestRow): Promise<void> {
  try {
    await services.providers.email.send({ to, ...emailFor(services.env.productName, request), reference: request.id });
    await setMailed(services.db, request.id, services.now());
  } catch (error) {
    services.log.warn(
      { err: describeError(error as Error), demoRequest: request.id },
      'demo request not emailed to the operator',
    );
    const wait = Math.min(2 ** Number(request.tries), 360) * minute;
    await setNextTry(services.db, request.id, new Date(services.now().getTime() + wait));
  }
}

function emailFor(product: string, request: RequestRow): { subject: string; text: string } {
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
