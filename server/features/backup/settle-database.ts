import { migrate } from '#server/kit/db/migrate.ts';
import { holdWaiting } from './hold-waiting.ts';
import { readFacts } from './source-database.ts';
import { auditRestore, endSessions, raiseQueueVersions } from './sql.ts';

interface SettleOptions {
  ownerUrl: string;
  appUrl: string | undefined;
  /** The time whose rows these are; the newest audit entry's, if it is not known. */
  backupOf?: string;
  /** Waiting texts, pushes and emails are sent at once; otherwise they are held. */
  releaseTexts: boolean;
  say(line: string): void;
}

/** Brings rows of an earlier time into today: migrates them, and makes sure that nothing from the past is sent again. */
export async function settleDatabase({ ownerUrl, appUrl, backupOf, releaseTexts, say }: SettleOptions): Promise<void> {
  await migrate(ownerUrl, appUrl);
  // First, before what takes long: a server that starts too early would send the texts of the past.
  if (!releaseTexts) await holdWaiting(ownerUrl, say);
  // Whoever had a session at backup time need not have that device today.
  const ended = await endSessions(ownerUrl);
  say(`${ended} sessions ended: everybody signs in again.`);
  // Screens with later versions must not conclude that nothing changed.
  await raiseQueueVersions(ownerUrl);
  const { offices, newestAuditEntry } = await readFacts(ownerUrl);
  await auditRestore(ownerUrl, backupOf ?? newestAuditEntry ?? '');
  say(`${offices} practices. Newest entry of the audit log: ${newestAuditEntry ?? 'none'}.`);
}
