/** Names inside a backup, and the content of its first and last entry. The parts are in this order in the file (decision 0029). */
export const firstEntry = 'anteroom-backup.json';
export const summaryEntry = 'summary.json';
/** Follows the summary: who signed everything before it. */
export const signatureEntry = 'signature.json';
export const manifestEntry = 'database/backup_manifest';
/** Files of the embedded PostgreSQL beside its data folder: the passwords of its logins. */
export const passwordFolder = 'postgres';
export const passwordFiles = ['password', 'app-password'] as const;

export const formatVersion = 2;
/** The format of older versions, without a signature. */
export const unsignedFormat = 1;

/** The first entry: enough to refuse an unsuitable backup before anything is written. */
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
  /** The public key of the installation that signs this backup; missing in the unsigned format. */
  signer?: string;
  /** SHA-256 of each secret, so that an environment with other secrets is noticed before the restore. */
  secrets: Record<string, string>;
}

/** A backup without a summary is incomplete. */
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

/** The last entry, but not in the unsigned format. */
export interface BackupSignature {
  signer: string;
  /** Ed25519 over the hash of all entries before this one, base64url. */
  signature: string;
}
