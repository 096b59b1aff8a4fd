import {
  claimConfirmations,
  claimDemoRequests,
  claimNpiClaims,
  closeReminders,
  doubtRecordings,
  dropPushes,
  forgetTextsBeingSent,
  holdQueuedTexts,
  stopAutoInvites,
} from './sql.ts';

/**
 * Since the backup, most waiting texts, pushes and emails have been sent, and waiting patients have gone home. Nothing is resent
 * automatically: queued texts are held, texts that were being sent become unknown, timers invite nobody, pushes are dropped, emails to the
 * operator stay claimed, payments are not recorded in the practice software, and a due agreement reminder counts as failed, so that the next one comes two days later.
 */
export async function holdWaiting(ownerUrl: string, say: (line: string) => void): Promise<void> {
  const held = await holdQueuedTexts(ownerUrl);
  await forgetTextsBeingSent(ownerUrl);
  await stopAutoInvites(ownerUrl);
  await dropPushes(ownerUrl);
  const recordings = await doubtRecordings(ownerUrl);
  const reminders = await closeReminders(ownerUrl);
  const demoRequests = await claimDemoRequests(ownerUrl);
  const claims = await claimNpiClaims(ownerUrl);
  const confirmations = await claimConfirmations(ownerUrl);
  if (held > 0) say(`${held} waiting texts are held. Send those that are still due: script/anteroom texts release`);
  if (recordings > 0)
    say(
      `${recordings} payments may be recorded in the practice software already. They are on the to-do lists of Transactions.`,
    );
  const emails = [
    ...(reminders > 0 ? [`${reminders} agreement reminders`] : []),
    ...(demoRequests > 0 ? [`${demoRequests} demo requests (script/anteroom demo-requests)`] : []),
    ...(claims > 0 ? [`${claims} claims of an NPI (script/anteroom npi-claims)`] : []),
    ...(confirmations > 0 ? [`${confirmations} new practices (script/anteroom office limited)`] : []),
  ];
  if (emails.length > 0) say(`Emails that were waiting are not sent: ${emails.join(', ')}.`);
}
