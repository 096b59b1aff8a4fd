/** Called often: the progress of a part, and its total size if known. */
export type Progress = (
  part: 'signed heads' | 'database' | 'files' | 'secrets',
  bytes: number,
  ofBytes?: number,
) => void;
