import type { House } from '#server/ctx.ts';
import type { Job } from '#server/kit/jobs.ts';
import { localCard } from './card/local.ts';
import { localEmail } from './email/local.ts';
import { smtpEmail } from './email/smtp.ts';
import { localSms } from './sms/local.ts';
import { startLocalReports } from './sms/local-reports.ts';

/** The outside world as this environment has it; where nothing is configured, its local stand-ins. */
export function openProviders(given: Pick<House, 'env' | 'db' | 'log' | 'now' | 'id'>): House['providers'] {
  return { sms: localSms(given), card: localCard(), email: given.env.smtp ? smtpEmail(given, given.env.smtp) : localEmail(given) };
}

/** Starts the clocks of the stand-ins in use. */
export function startProviders(house: House): Job[] {
  return house.providers.sms.name === 'local' ? [startLocalReports(house)] : [];
}
