import type { CommandContext } from '#server/kit/command.ts';
import { CardRefused } from './card/port.ts';
import { EsignRefused } from './esign/port.ts';
import { MerchantRefused } from './merchant/port.ts';
import { SmsRefused } from './sms/port.ts';

/** Runs one step after another and prints its result and duration; errors name the step. */
export function stepper(say: CommandContext['say']) {
  return async <T>(name: string, work: () => Promise<T>, tell: (result: T) => string): Promise<T> => {
    const began = performance.now();
    const result = await work().catch((error: unknown) => {
      throw new Error(`${name}: ${reasonOf(error)}`);
    });
    say(`${name.padEnd(14)}${tell(result)} (${Math.round(performance.now() - began)} ms)`);
    return result;
  };
}

/** What went wrong, without anything of a vendor's message. */
export function reasonOf(error: unknown): string {
  if (error instanceof SmsRefused) return error.message;
  if (error instanceof EsignRefused || error instanceof CardRefused || error instanceof MerchantRefused)
    return error.reason;
  const { name, code } = error as { name?: string; code?: string };
  return name === 'S3Refused' && code ? code : String(error);
}
