/** Called often: how far a part has come, and how large it will be where that is known. */
export type Progress = (
  part: 'signed heads' | 'database' | 'files' | 'secrets',
  bytes: number,
  ofBytes?: number,
) => void;
