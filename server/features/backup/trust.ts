/** Who must have made a backup. */
export interface Trust {
  /** The public key that must have signed it; null when nobody can name one. */
  signer: string | null;
  /** Backups of older versions have no signature. */
  mayBeUnsigned: boolean;
}
