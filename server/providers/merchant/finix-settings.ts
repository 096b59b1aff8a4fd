import { isLoopback } from '#server/kit/http/loopback.ts';

/** How this installation connects to Finix (docs/operating.md). */
export interface FinixSettings {
  /** The API key of a partner: only that role may create onboarding forms. */
  username: string;
  password: string;
  /** Without a trailing slash. */
  url: string;
  /** The processor that practices are onboarded to. */
  processor: string;
  /** The page that names the fees; shown in the hosted form. */
  feesUrl: string | undefined;
  /** Where a practice sees its payments at Finix, after signing in there. */
  dashboardUrl: string;
  /** The application whose card form patients see; undefined: patients cannot pay through Finix. */
  applicationId: string | undefined;
  /** What Finix's callbacks carry; undefined: callbacks are refused, and the job looks instead. */
  webhook: FinixWebhook | undefined;
}

export interface FinixWebhook {
  signingKey: string;
  /** Each webhook at Finix has a key of its own; this one is for transfers. */
  transfersKey: string;
  /** The whole `Authorization` header: BASIC or BEARER. */
  authorization: string;
}

const others = [
  'FINIX_PASSWORD',
  'FINIX_PROCESSOR',
  'FINIX_APPLICATION',
  'FINIX_WEBHOOK_KEY',
  'FINIX_WEBHOOK_TOKEN',
] as const;

/** Reads the settings from the environment; undefined without FINIX_USERNAME. Throws a message an operator can act on. */
export function readFinix(from: NodeJS.ProcessEnv): FinixSettings | undefined {
  const { FINIX_USERNAME: username, FINIX_PASSWORD: password, FINIX_PROCESSOR: processor } = from;
  if (!username) {
    const stray = others.find((name) => from[name]);
    if (stray) throw new Error(`FINIX_USERNAME is missing: ${stray} needs it. Give the username of your Finix API key`);
    return undefined;
  }
  if (!password) throw new Error('FINIX_PASSWORD is missing: with FINIX_USERNAME give the password of the API key');
  if (!processor)
    throw new Error('FINIX_PROCESSOR is missing: with FINIX_USERNAME give the processor, DUMMY_V1 in the sandbox');
  const url = (from.FINIX_URL || 'https://finix.sandbox-payments-api.com').replace(/\/+$/, '');
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' && !(parsed?.protocol === 'http:' && isLoopback(parsed.hostname)))
    throw new Error('FINIX_URL must be an https address (plain http only on this machine)');
  const feesUrl = from.FINIX_FEES_URL || undefined;
  if (feesUrl !== undefined && !URL.canParse(feesUrl)) throw new Error('FINIX_FEES_URL must be an address');
  const dashboardUrl = from.FINIX_DASHBOARD_URL || 'https://finix.payments-dashboard.com/';
  if (URL.parse(dashboardUrl)?.protocol !== 'https:') throw new Error('FINIX_DASHBOARD_URL must be an https address');
  const applicationId = from.FINIX_APPLICATION || undefined;
  if (applicationId !== undefined && !/^AP\w{1,60}$/.test(applicationId))
    throw new Error('FINIX_APPLICATION must be the id of your application at Finix: it begins with AP');
  return { username, password, url, processor, feesUrl, dashboardUrl, applicationId, webhook: readWebhook(from) };
}

/** The signature's format is not confirmed by the vendor, so a second proof is required with it. */
function readWebhook({
  FINIX_WEBHOOK_KEY: signingKey,
  FINIX_TRANSFERS_WEBHOOK_KEY: transfersKey,
  FINIX_WEBHOOK_TOKEN: token,
  FINIX_WEBHOOK_USER: user,
  FINIX_WEBHOOK_PASSWORD: password,
}: NodeJS.ProcessEnv): FinixWebhook | undefined {
  if (!signingKey && !token && !user && !password) return undefined;
  if (!signingKey || (!token && !(user && password)))
    throw new Error(
      'FINIX_WEBHOOK_KEY goes together with FINIX_WEBHOOK_TOKEN, or with FINIX_WEBHOOK_USER and FINIX_WEBHOOK_PASSWORD',
    );
  const authorization = token ? `Bearer ${token}` : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return { signingKey, transfersKey: transfersKey || signingKey, authorization };
}
