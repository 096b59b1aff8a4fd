/** A process for the job could not start in time: the machine is busy, and the job may be tried again. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** A job was ended because it took too long or too much memory; `note` is the last thing it reported. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded';
  readonly reason: 'deadline' | 'memory';
  readonly note: string;
  constructor(reason: 'deadline' | 'memory', note: string) {
    super(`ended by its ${reason} limit`);
    this.reason = reason;
    this.note = note;
  }
}
