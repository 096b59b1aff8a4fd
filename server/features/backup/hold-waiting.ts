import { ownLinkPattern } from '#server/features/texting/index.ts';
import { runStatement } from './run-statement.ts';

/** A job never runs if its row is claimed until then. */
const never = '9999-12-31T00:00:00Z';

/**
 * Since the backup, most waiting texts, pushes and emails have been sent, and waiting patients have gone home. Nothing is resent
 * automatically: queued texts are held, texts that were being sent become unknown, timers invite nobody, pushes are dropped, emails to the
 * operator stay claimed, payments are not recorded in the practice software, and a due agreement reminder counts as failed, so that the next one comes two days later.
 */
export async function holdWaiting(ownerUrl: string, say: (line: string) => void): Promise<void> {
  // `texts release` finds these texts by their missing error class. They keep their links, which must not outlive the others.
  const held = await runStatement(
    ownerUrl,
    "update text set state = 'held', error_class = null where state = 'queued' returning 1",
  );
  await runStatement(
    ownerUrl,
    `update text set state = 'unknown', lease_until = null, sealed_link = null, 
       body = case when kind = 'message' then body else regexp_replace(body, $1, '{link}', 'g') end
     where state = 'sending'`,
    [ownLinkPattern],
  );
  await runStatement(ownerUrl, 'update visit set auto_invite_at = null where auto_invite_at is not null');
  await runStatement(
    ownerUrl,
    'update push_subscription set due_at = null, retry_at = null, lease_until = null where due_at is not null',
  );
  const recordings = await runStatement(
    ownerUrl,
    "update payment_recording set state = 'unknown', check_at = null where state in ('due', 'sending') returning 1",
  );
  const reminders = await runStatement(ownerUrl, closeReminders);
  const demoRequests = await runStatement(
    ownerUrl,
    'update demo_request set taken_until = $1 where mailed_at is null returning 1',
    [never],
  );
  const claims = await runStatement(
    ownerUrl,
    `update auth.npi_claim set taken_until = $1
     where operator_mailed_at is null or (asked_at is not null and office_mailed_at is null) returning 1`,
    [never],
  );
  const confirmations = await runStatement(
    ownerUrl,
    `update office_confirmation c set claimed_until = $1 from office o
     where o.id = c.office_id and c.operator_mailed_at is null and o.confirmed_at is null and o.agreement_signed_at is not null returning 1`,
    [never],
  );
  if (held.length > 0)
    say(`${held.length} waiting texts are held. Send those that are still due: script/anteroom texts release`);
  if (recordings.length > 0)
    say(
      `${recordings.length} payments may be recorded in the practice software already. They are on the to-do lists of Transactions.`,
    );
  const emails = [
    ...(reminders.length > 0 ? [`${reminders.length} agreement reminders`] : []),
    ...(demoRequests.length > 0 ? [`${demoRequests.length} demo requests (script/anteroom demo-requests)`] : []),
    ...(claims.length > 0 ? [`${claims.length} claims of an NPI (script/anteroom npi-claims)`] : []),
    ...(confirmations.length > 0 ? [`${confirmations.length} new practices (script/anteroom office limited)`] : []),
  ];
  if (emails.length > 0) say(`Emails that were waiting are not sent: ${emails.join(', ')}.`);
}

/** Reminders that were being sent, and the next one of each practice that has not signed for five days. The job's own lookup is in 0030. */
const closeReminders = `
  insert into agreement_reminder (office_id, id, number, to_email, claimed_at, lease_until, failed_at)
  select o.id, gen_random_uuid(), r.closed + 1, coalesce(o.email, ''), now(), now(), now()
  from office o cross join lateral (
    select count(*) filter (where sent_at is not null or failed_at is not null)::int as closed
    from agreement_reminder x where x.office_id = o.id
  ) r
  where o.agreement_signed_at is null and (
    o.created_at <= now() - interval '5 days'
    or exists (select from agreement_reminder x where x.office_id = o.id and x.sent_at is null and x.failed_at is null))
  on conflict (office_id, number) do update set failed_at = excluded.failed_at
  returning 1`;
