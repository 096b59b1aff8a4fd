import type { BackupSummary } from './backup-format.ts';
import type { BackupContents } from './read-backup.ts';
import { megabytes } from './show-progress.ts';

/** Prints a line on the command's output. */
export type Say = (line: string) => void;

export function* describe({ header, summary }: BackupContents): Generator<string> {
  const { kind, postgres } = header.database;
  yield `Backup of ${header.startedAt}, finished ${summary.finishedAt}, made by version ${header.programVersion}.`;
  yield `Database: PostgreSQL ${postgres} at ${header.schema}${kind === 'dump' ? ', as a dump' : ''}.`;
  yield `It holds ${summaryText(summary)}.`;
  yield `Newest entry of the audit log when it began: ${summary.newestAuditEntry ?? 'none'}.`;
}

export const summaryText = ({ offices, databaseBytes, files, fileBytes }: BackupSummary) =>
  `${offices} practices, ${megabytes(databaseBytes)} of database, ${files} files (${megabytes(fileBytes)})`;

/** Exit code 1: the backup is complete, but something in the store was damaged. */
export function reportDamaged({ damagedFiles }: BackupSummary, say: Say): number {
  if (damagedFiles.length === 0) return 0;
  say(
    `${damagedFiles.length} files were damaged in the store before they were backed up: ${damagedFiles.slice(0, 5).join(', ')}`,
  );
  return 1;
}
