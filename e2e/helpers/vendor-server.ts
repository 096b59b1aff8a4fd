import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, request } from '@playwright/test';
import { customerAnswer, stripeAnswers, stripeError } from '#testing/stand-ins/stripe-answers.ts';
import { staff } from './staff.ts';

/** What our server asked a vendor. */
export interface VendorCall {
  path: string;
  body: string;
}

/** A token that Stripe's bank refuses when the card is set up. */
export const refusedToken = 'tok_chargeDeclined';

/** The APIs of Stripe and Finix on loopback, as far as saving a card and paying need them. One customer, and its card once it is saved. */
export async function openVendors() {
  const calls: VendorCall[] = [];
  const stripe = openStripe();
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      const { pathname: path } = new URL(req.url ?? '', 'http://localhost');
      calls.push({ path, body });
      const { status = 200, answer } = path.startsWith('/v1/')
        ? stripe(req.method ?? '', path, new URLSearchParams(body))
        : { answer: finix(path, body) };
      res.writeHead(answer ? status : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
    });
  });
  const url = await listen(server);
  return { url, calls, close: () => void server.close() };
}

function openStripe() {
  const answerOf = stripeAnswers('new');
  const customer = { officeId: '', token: '', card: '' };
  return (method: string, path: string, form: URLSearchParams): { status?: number; answer: unknown } => {
    customer.officeId = form.get('metadata[officeId]') ?? customer.officeId;
    customer.token = form.get('card[token]') ?? customer.token;
    customer.card = form.get('invoice_settings[default_payment_method]') ?? customer.card;
    const no = (...error: Parameters<typeof stripeError>) => {
      const { status, body } = stripeError(...error);
      return { status, answer: body };
    };
    if (path === '/v1/setup_intents' && customer.token === refusedToken)
      return no(402, { type: 'card_error', code: 'card_declined' });
    // Stripe does not know a customer of the stand-in that was used before.
    if (path.startsWith('/v1/customers/cus_local'))
      return no(404, { type: 'invalid_request_error', code: 'resource_missing' });
    if (path === '/v1/subscriptions' || path === '/v1/invoices')
      return { answer: { object: 'list', has_more: false, data: [] } };
    if (!path.startsWith('/v1/customers')) return { answer: answerOf(method, path) };
    const none = { invoice_settings: { default_payment_method: null } };
    return {
      answer: customerAnswer({ metadata: { officeId: customer.officeId }, ...(customer.card === '' && none) }),
    };
  };
}

function finix(path: string, body: string): unknown {
  switch (path) {
    case '/sandbox/identities':
      return { id: 'IDbuyer' };
    case '/sandbox/payment_instruments':
      return { id: 'PIcard', brand: 'VISA', last_four: '4242' };
    case '/sandbox/transfers': {
      if (body === '') return { _embedded: { transfers: [] } };
      return { id: 'TRcharge', state: 'SUCCEEDED', ...(JSON.parse(body) as object) };
    }
    default:
      return undefined;
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * A demo that goes over to Stripe and Finix: its offices are made with the local providers first, so that Maple may take payments. It has a
 * database of its own.
 */
export async function startWithVendors(vendorsUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-vendors-'));
  const probe = createServer();
  const port = new URL(await listen(probe)).port;
  probe.close();
  const url = `http://localhost:${port}`;
  const start = async (env: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, ['dist/server/main.js'], {
      env: { ...process.env, PORT: port, DATA_DIR: dataDir, PUBLIC_URL: url, DEMO: '1', ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(child, 'exit');
    process.once('exit', () => child.kill());
    const isReady = () => fetch(`${url}/readyz`).then(({ ok }) => ok, () => false); // prettier-ignore
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error('the server with the vendors did not start');
      await sleep(50);
    }
    return async () => {
      child.kill('SIGTERM');
      await ended;
    };
  };
  const stopLocal = await start({});
  await stopLocal();
  let stop = await start({
    STRIPE_URL: vendorsUrl,
    STRIPE_SECRET_KEY: 'sk_test_1',
    // Without prices: the operator has not set any yet.
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    FINIX_URL: `${vendorsUrl}/sandbox`,
    FINIX_USERNAME: 'US1',
    FINIX_PASSWORD: 'finix-password',
    FINIX_PROCESSOR: 'DUMMY_V1',
    FINIX_APPLICATION: 'AP1',
  });
  return {
    url,
    sessionOf: (who: keyof typeof staff) => signIn(url, staff[who]),
    /** Goes over to production with an account for texts, email and signatures, and none for cards. Who is signed in stays so. */
    async goWithoutCards() {
      await stop();
      stop = await start({
        DEMO: undefined,
        NODE_ENV: 'production',
        DRAIN_SECONDS: '0',
        PUBLIC_URL: 'https://desk.test',
        SMS_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
        SMS_AUTH_TOKEN: 'token',
        CODE_NUMBER: '+12125550100',
        SMTP_URL: 'smtps://127.0.0.1:9',
        EMAIL_FROM: 'desk@mail.test',
        DROPBOX_SIGN_API_KEY: 'key',
        DROPBOX_SIGN_CLIENT_ID: 'client',
      });
    },
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The cookies of a browser that signed in with the code in the outbox. */
async function signIn(baseURL: string, email: string) {
  const api = await request.newContext({ baseURL, extraHTTPHeaders: { origin: baseURL } });
  await api.post('/api/sign-in/code', { data: { email } });
  const [newest] = (await (await api.get('/dev/outbox.json', { params: { to: email } })).json()) as { body: string }[];
  const code = /\b\d{6}\b/.exec(newest?.body ?? '')?.[0];
  const answer = await api.post('/api/sign-in/verify', { data: { email, code } });
  expect(answer.ok(), await answer.text()).toBe(true);
  const state = await api.storageState();
  await api.dispose();
  return state;
}
