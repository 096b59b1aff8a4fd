import type { TextReply, TextReport } from '#contract/texting.ts';
import type { Services } from '#server/context.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { postToSelf, type Post } from '#server/providers/post-to-self.ts';
import { failsLater } from './local.ts';

/** A report that was not acknowledged in time is sent again. */
const retryAfterMs = 5_000;

type Carrier = Pick<Services, 'db' | 'env' | 'now'>;

/** The local carrier's job: sends a signed delivery report for each text, and repeats it until it is acknowledged. */
export function startLocalReports(
  services: Carrier & Pick<Services, 'log'>,
  post: Post = postToSelf(services, retryAfterMs),
): Job {
  return runJob('local-carrier', 300, services.log, () => sendDueReports(services, post));
}

const batch = 100;
const givesUpAfterMs = 3_600_000;

/** Sends the delivery reports that are due; true if more may be due. Two processes never send the same one at once. */
export async function sendDueReports(carrier: Carrier, post: Post): Promise<boolean> {
  const now = carrier.now();
  const due = await carrier.db
    .updateTable('dev.outbox')
    .set({ reportAt: new Date(now.getTime() + retryAfterMs) })
    .where('id', 'in', (q) =>
      q
        .selectFrom('dev.outbox')
        .select('id')
        .where('reportAt', '<=', now)
        .where('at', '>', new Date(now.getTime() - givesUpAfterMs))
        .orderBy('reportAt')
        .limit(batch)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'recipient', 'reference'])
    .execute();
  await Promise.all(due.map((text) => tellHow(carrier, post, text)));
  return due.length === batch;
}

type CarriedText = { id: string; recipient: string; reference: string | null };

async function tellHow(carrier: Carrier, post: Post, text: CarriedText): Promise<void> {
  const errorClass = failsLater[text.recipient] ?? null;
  const state = errorClass ? 'failed' : 'delivered';
  const report: TextReport = { providerId: text.id, reference: text.reference, state, errorClass };
  const status = await sendReportCallback(carrier, post, '/api/sms/status', report).catch(() => 0);
  if (status !== 200) return; // retried when its five seconds are over
  await carrier.db
    .updateTable('dev.outbox')
    .set({ state, errorClass, reportAt: null })
    .where('id', '=', text.id)
    .execute();
}

/** Signs and sends a webhook call: a report, or a text that a phone sent. Returns its HTTP status. */
export function sendReportCallback(
  carrier: Pick<Services, 'env' | 'now'>,
  post: Post,
  path: string,
  message: TextReport | TextReply,
): Promise<number> {
  const body = JSON.stringify(message);
  const signature = signBody(carrier.env.secrets.webhook, body, carrier.now());
  return post(path, { 'content-type': 'application/json', [signatureHeader]: signature }, body);
}
