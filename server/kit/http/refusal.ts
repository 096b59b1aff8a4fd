import { refusals, type RefusalCode } from '#contract/refusals.ts';
import type { Language } from '#contract/shapes.ts';

/** A "no" the caller can act on; `current` is the thing as it now is. Anything else thrown is a bug: logged, and answered 500. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly current: unknown;
  /** Seconds until trying again makes sense. */
  readonly retryAfterSeconds: number | undefined;
  constructor(code: RefusalCode, current?: unknown, retryAfterSeconds?: number) {
    super(refusals[code].en);
    this.code = code;
    this.current = current;
    this.retryAfterSeconds = retryAfterSeconds;
  }
  get status(): number {
    return refusals[this.code].status;
  }
  says(language: Language): string {
    return refusals[this.code][language];
  }
}
