import type { Services } from '#server/context.ts';
import { runJob, type Job } from '#server/kit/live/jobs.ts';
import { openCard } from './card/index.ts';
import { startLocalCard } from './card/local-callbacks.ts';
import { localEmail } from './email/local.ts';
import { smtpEmail } from './email/smtp.ts';
import { openEsign } from './esign/index.ts';
import { startLocalEsign } from './esign/local-callbacks.ts';
import { openCharges } from './charges/index.ts';
import { startLocalCharges } from './charges/local-callbacks.ts';
import { openPracticeSoftware } from './practice-software/index.ts';
import { openFhirServer } from './fhir/index.ts';
import { openGoogle } from './google/index.ts';
import { openMerchant } from './merchant/index.ts';
import { startLocalMerchant } from './merchant/local-callbacks.ts';
import { purgeOutbox } from './outbox-purge.ts';
import { openPush } from './push/index.ts';
import { localSms } from './sms/local.ts';
import { startLocalReports } from './sms/local-reports.ts';
import { twilioSms } from './sms/twilio.ts';
import { openStorage } from './storage/index.ts';
import { openTerminology } from './terminology/index.ts';

/** The outside services this environment configures; local providers for the rest, if allowed. */
export function openProviders(given: Pick<Services, 'env' | 'db' | 'log' | 'now' | 'id'>): Services['providers'] {
  checkProviders(given.env);
  const storage = openStorage(given);
  return {
    sms: given.env.twilio ? twilioSms(given, given.env.twilio) : localSms(given),
    storage,
    esign: openEsign(given, storage),
    card: openCard(given),
    merchant: openMerchant(given),
    charges: openCharges(given),
    practiceSoftware: openPracticeSoftware(given),
    fhirServer: openFhirServer(given),
    terminology: openTerminology(given),
    push: openPush(given),
    google: openGoogle(given),
    email: given.env.smtp ? smtpEmail(given, given.env.smtp) : localEmail(given),
  };
}

/**
 * In production a local provider would drop texts and email, and sign contracts without a witness. Throws unless the operator allows that.
 */
export function checkProviders({
  production,
  demo,
  localProviders,
  twilio,
  smtp,
  dropboxSign,
}: Pick<Services['env'], 'production' | 'demo' | 'localProviders' | 'twilio' | 'smtp' | 'dropboxSign'>): void {
  if (!production || demo || localProviders) return;
  const missing = [
    ...(twilio ? [] : ['text messages (set SMS_ACCOUNT_SID, SMS_AUTH_TOKEN and CODE_NUMBER)']),
    ...(smtp ? [] : ['email (set SMTP_URL)']),
    ...(dropboxSign ? [] : ['signatures (set DROPBOX_SIGN_API_KEY and DROPBOX_SIGN_CLIENT_ID)']),
  ];
  if (missing.length === 0) return;
  throw new Error(
    `no real provider for ${missing.join(', ')}. Add LOCAL_PROVIDERS=1 to use local stand-ins for these: ` +
      `they send nothing to anybody, keep it in the database for a day, and sign agreements themselves.`,
  );
}

/** Starts the jobs of the local providers in use. */
export function startProviders(services: Services): Job[] {
  const { sms, esign, card, merchant, charges } = services.providers;
  return [
    runJob('purge-outbox', 3_600_000, services.log, () => purgeOutbox(services)),
    ...(sms.name === 'local' ? [startLocalReports(services)] : []),
    ...(card.name === 'local' ? startLocalCard(services) : []),
    ...(esign.name === 'local' ? startLocalEsign(services) : []),
    ...(merchant.name === 'local' ? startLocalMerchant(services) : []),
    ...(charges.name === 'local' ? startLocalCharges(services) : []),
  ];
}
