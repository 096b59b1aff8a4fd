import { agreement } from '#contract/index.ts';
import { tellEvents, type Post } from '#server/providers/esign/local-callbacks.ts';
import type { CallOptions, TestHouse, TestOffice } from './house.ts';

/** Posts to the house as the local e-signature provider does; answers the status. */
export function esignPost(t: Pick<TestHouse, 'app'>): Post {
  return async (url, headers, payload) => (await t.app.inject({ method: 'POST', url, headers, payload })).statusCode;
}

/** Asks for a signing link as a person of the office. */
export function askForLink(t: TestHouse, office: TestOffice, email = 'owner@maple.test', options: CallOptions = {}) {
  return t.call(
    agreement.retrieveSigning,
    { params: { esign: 'local' }, body: { officeId: office.id, email, name: 'Dana Whitlock' } },
    { as: office, ...options },
  );
}

/** Opens a link as a browser does, and answers the page's status, words and key. */
export async function openPage(t: TestHouse, url: string) {
  const answer = await t.app.inject({ url, headers: { 'user-agent': 'Test browser', 'accept-language': 'en' } });
  const key = /"key":"([\w-]+)"/.exec(answer.body)?.[1];
  return { status: answer.statusCode, body: answer.body, headers: answer.headers, key };
}

/** What the page's buttons do. */
export async function press(
  t: TestHouse,
  key: string | undefined,
  verb: 'sign' | 'decline' | 'expire',
  body: Record<string, unknown> = {},
): Promise<{ status: number; state: string | undefined }> {
  const signed = verb === 'sign' ? { name: 'Dana Whitlock', consent: true } : {};
  const payload = { ...signed, ...body };
  const answer = await t.app.inject({ method: 'POST', url: `/esign/page/${key}/${verb}`, payload });
  return { status: answer.statusCode, state: (answer.json() as { state?: string }).state };
}

/** The provider tells what happened, until everything is told. */
export async function providerTells(t: TestHouse): Promise<void> {
  while (await tellEvents(t.house, esignPost(t)));
}

/** From the click to the provider's callback. */
export async function signAgreement(t: TestHouse, office: TestOffice): Promise<void> {
  const { body } = await askForLink(t, office);
  const { key } = await openPage(t, body.url ?? '');
  await press(t, key, 'sign');
  await providerTells(t);
}
