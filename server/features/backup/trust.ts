/** The required origin of a backup. */
export interface Trust {
  /** The public key that must have signed it; null if it is not known. */
  signer: string | null;
  /** Backups of older versions have no signature. */
  mayBeUnsigned: boolean;
}
