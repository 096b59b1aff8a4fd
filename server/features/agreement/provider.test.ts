import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreement } from '#contract/index.ts';
import { readPoster } from '#contract/practice/office.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { EsignRefused } from '#server/providers/esign/port.ts';
import { sendDueEvents } from '#server/providers/esign/local-callbacks.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { askForLink, esignPost, openPage, pressSigningButton, deliverEsignEvents } from '#testing/fixtures/signing.ts';
import { checkDueAgreements } from './jobs.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const unsigned = () => t.office({ signed: false });
const statusOf = async (office: TestOffice) => (await t.call(agreement.readAgreement, {}, { as: office })).body;
const confirm = (office: TestOffice) =>
  t.call(agreement.confirmSigned, { params: { esign: 'local' }, body: { id: office.id } }, { as: office });
const mayEnter = async (office: TestOffice) => (await t.call(readPoster, {}, { as: office })).status === 200;
const requestsOf = (office: TestOffice) =>
  t.owner.selectFrom('esign.request').selectAll().where('reference', 'like', `${office.id}.%`).orderBy('id').execute();
const actionsOf = async (office: TestOffice) => (await t.auditEntries(office)).map(({ action }) => action);
const linkOf = async (office: TestOffice) => (await askForLink(t, office)).body.url ?? '';

describe('callbacks', () => {
  const event = (requestId: string, type = 'signed') => ({ key: t.services.id(), type, requestId });
  const tell = (said: object, header?: string) => {
    const body = JSON.stringify(said);
    const signature = header ?? signBody(t.env.secrets.webhook, body, t.now());
    return esignPost(t)(
      '/api/local/events',
      { 'content-type': 'application/json', [signatureHeader]: signature },
      body,
    );
  };

  test('50 parallel copies of a callback have one effect', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    await pressSigningButton(t, key, 'sign');
    const said = event((await requestsOf(office))[0]?.id ?? '');
    const answers = await Promise.all(Array.from({ length: 50 }, () => tell(said)));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect((await actionsOf(office)).filter((action) => action === 'agreement.sign')).toHaveLength(1);
    expect((await actionsOf(office)).filter((action) => action === 'agreement.file')).toHaveLength(1);
  });

  test('50 different parallel callbacks make one signature and one file', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    await pressSigningButton(t, key, 'sign');
    const requestId = (await requestsOf(office))[0]?.id ?? '';
    await Promise.all(Array.from({ length: 50 }, () => tell(event(requestId))));
    const actions = await actionsOf(office);
    expect(actions.filter((action) => action === 'agreement.sign')).toHaveLength(1);
    expect(actions.filter((action) => action === 'agreement.file')).toHaveLength(1);
  });

  test('a callback that wrongly says "signed" changes nothing: only the provider’s state counts', async () => {
    const office = await unsigned();
    await linkOf(office);
    expect(await tell(event((await requestsOf(office))[0]?.id ?? ''))).toBe(200);
    expect(await mayEnter(office)).toBe(false);
  });

  test('forged, changed and old callbacks are refused without effect', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    await pressSigningButton(t, key, 'sign');
    const said = event((await requestsOf(office))[0]?.id ?? '');
    const body = JSON.stringify(said);
    const at = (minutes: number) => new Date(t.now().getTime() + minutes * 60_000);
    const good = signBody(t.env.secrets.webhook, body, t.now());
    for (const header of [
      '',
      good.slice(0, -1),
      signBody('another key', body, t.now()),
      signBody(t.env.secrets.webhook, body, at(-5.1)),
      signBody(t.env.secrets.webhook, body, at(5.1)),
      signBody(t.env.secrets.webhook, `${body} `, t.now()),
    ])
      expect(await tell(said, header)).toBe(403);
    expect(await mayEnter(office)).toBe(false);
  });

  test('callbacks about unknown requests are accepted and change nothing', async () => {
    expect(await tell(event('019f1111-1111-7111-8111-111111111111'))).toBe(200);
    expect(await tell({ key: 'x' })).toBe(200);
  });

  test('a callback under another provider’s name is a 404', async () => {
    expect((await t.app.inject({ method: 'POST', url: '/api/hellosign/events' })).statusCode).toBe(404);
    const { id } = t.maple;
    for (const esign of ['hellosign', 'LOCAL', '']) {
      const answer = await t.call(agreement.confirmSigned, { params: { esign }, body: { id } });
      expect(answer.status).toBe(404);
    }
  });

  test('the provider repeats a callback until it is accepted', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    await pressSigningButton(t, key, 'sign');
    await sendDueEvents(t.services, async () => 500);
    expect(await mayEnter(office)).toBe(false);
    t.later(0.1);
    await deliverEsignEvents(t);
    expect(await mayEnter(office)).toBe(true);
  });
});

describe('a failing provider', () => {
  const withEsign = async (broken: Partial<TestApp['services']['providers']['esign']>, work: () => Promise<void>) => {
    const { esign } = t.app.services.providers;
    t.app.services.providers.esign = { ...esign, ...broken };
    try {
      await work();
    } finally {
      t.app.services.providers.esign = esign;
    }
  };

  test('a refusal tells the caller to retry, and the retry works', async () => {
    const office = await unsigned();
    await withEsign({ create: () => Promise.reject(new EsignRefused('payment')) }, async () => {
      const answer = await askForLink(t, office);
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'esign_away', '5']);
    });
    expect((await askForLink(t, office)).body.status).toBe('URL_RETRIEVED');
  });

  test('a request whose answer was lost is found after a minute and never created twice', async () => {
    const office = await unsigned();
    const { create } = t.services.providers.esign;
    const lost = async (ask: Parameters<typeof create>[0]) => {
      await create(ask);
      throw new EsignRefused('unreachable');
    };
    await withEsign({ create: lost }, async () => void (await askForLink(t, office)));
    expect((await askForLink(t, office)).body.status).toBe('LOADING');
    t.later(1.1);
    expect((await askForLink(t, office)).body.status).toBe('URL_RETRIEVED');
    expect(await requestsOf(office)).toHaveLength(1);
  });

  test('two calls with the same reference make one request', async () => {
    const office = await unsigned();
    const { create } = t.services.providers.esign;
    await withEsign({ create: async (ask) => (await create(ask), create(ask)) }, async () => {
      expect((await askForLink(t, office)).body.code).toBe('esign_away');
    });
    t.later(1.1);
    expect((await askForLink(t, office)).body.status).toBe('URL_RETRIEVED');
    expect(await requestsOf(office)).toHaveLength(1);
  });

  test('a signature without a file opens the panel, and the file follows', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    await pressSigningButton(t, key, 'sign');
    await withEsign({ signedPdf: () => Promise.reject(new EsignRefused('not-ready')) }, () => deliverEsignEvents(t));
    expect(await mayEnter(office)).toBe(true);
    expect((await statusOf(office)).agreement?.file).toBeNull();
    t.later(2);
    await checkDueAgreements(t.services);
    expect((await statusOf(office)).agreement?.file).not.toBeNull();
  });

  test('a file that our store refuses does not block the panel, and the file follows', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    await pressSigningButton(t, key, 'sign');
    const { storage } = t.services.providers;
    const { put } = storage;
    storage.put = () => Promise.reject(Object.assign(new Error('away'), { code: 'SlowDown' }));
    await deliverEsignEvents(t).finally(() => (storage.put = put));
    expect(await mayEnter(office)).toBe(true);
    expect((await statusOf(office)).agreement?.file).toBeNull();
    t.later(2);
    await checkDueAgreements(t.services);
    expect((await statusOf(office)).agreement?.file).not.toBeNull();

    const { get } = storage;
    storage.get = () => Promise.reject(Object.assign(new Error('away'), { code: 'SlowDown' }));
    const answer = await t.call(agreement.downloadAgreement, {}, { as: office });
    storage.get = get;
    expect([answer.status, answer.body.code]).toEqual([503, 'files_away']);
    expect((await t.call(agreement.downloadAgreement, {}, { as: office })).status).toBe(200);
  });

  test('another agreement’s request signs nobody', async () => {
    const office = await unsigned();
    await linkOf(office);
    const { read } = t.services.providers.esign;
    const wrong = async (id: string) => ({
      ...(await read(id)),
      state: 'signed' as const,
      reference: `${t.other.id}.${id}`,
    });
    t.later(1);
    await withEsign({ read: wrong }, async () => expect((await confirm(office)).status).toBe(500));
    expect(await mayEnter(office)).toBe(false);
  });
});
