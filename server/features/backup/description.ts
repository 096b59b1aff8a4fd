/** Names inside a backup, and what its first and last entry say. The order of the parts is the order of the file (decision 0029). */
export const firstEntry = 'anteroom-backup.json';
export const lastEntry = 'summary.json';
export const manifestEntry = 'database/backup_manifest';
/** Files of the embedded PostgreSQL beside its data folder: the passwords of its logins. */
export const passwordFolder = 'postgres';

export const formatVersion = 1;

/** The first entry: enough to refuse a backup that does not fit before anything is written. */
export interface BackupHeader {
  format: number;
  startedAt: string;
  programVersion: string;
  /** The newest migration of the database. */
  schema: string;
  database: {
    /** `folder`: a copy of the data folder, for the same major version. `dump`: made by pg_dump. */
    kind: 'folder' | 'dump';
    postgres: string;
    major: number;
    /** The role that the tables of a dump belong to. */
    owner: string;
  };
  /** SHA-256 of each secret, so that an environment with other secrets is noticed before the restore. */
  secrets: Record<string, string>;
}

/** The last entry: without it the backup is not whole. */
export interface BackupSummary {
  finishedAt: string;
  offices: number;
  /** The newest entry of the audit log when copying began; the copy holds it and possibly later ones. */
  newestAuditEntry: string | null;
  databaseBytes: number;
  files: number;
  fileBytes: number;
  /** Keys of files that were damaged in the store already. */
  damagedFiles: string[];
}
