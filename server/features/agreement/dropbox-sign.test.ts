import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { agreement } from '#contract/index.ts';
import { callbackOf, eventOf, vendorKey } from '#testing/stand-ins/dropbox-sign-callback.ts';
import { openContractServer, specsDir, type ContractServer } from '#testing/stand-ins/contract-server.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { checkDueAgreements } from './jobs.ts';

const params = { esign: 'dropbox-sign' };

describe.skipIf(!specsDir)('an agreement signed with Dropbox Sign', () => {
  let vendor: ContractServer;
  let t: TestApp;
  beforeAll(async () => {
    vendor = await openContractServer('dropbox-sign.openapi.json');
    const env = { DROPBOX_SIGN_API_KEY: vendorKey, DROPBOX_SIGN_CLIENT_ID: 'app-of-ours', DROPBOX_SIGN_TEST_MODE: '1' };
    t = await openTestApp({ env: { ...env, DROPBOX_SIGN_URL: vendor.url } });
  });
  afterEach(() => {
    expect(vendor.problems()).toEqual([]);
    vendor.forget();
  });
  afterAll(async () => {
    await t.close();
    await vendor.close();
  });

  const retrieve = (office: TestOffice) => {
    const body = { officeId: office.id, email: 'dana@maple.test', name: 'Dana Whitlock' };
    return t.call(agreement.retrieveSigning, { params, body }, { as: office });
  };
  const statusOf = async (office: TestOffice) => (await t.call(agreement.readAgreement, {}, { as: office })).body;
  const tell = (told: object) => {
    const { rawBody, headers, url } = callbackOf(told);
    return t.app.inject({ method: 'POST', url, payload: rawBody, headers: headers as Record<string, string> });
  };
  const seconds = () => Math.floor(t.now().getTime() / 1000);

  /** Sets the vendor's state of the request, with an id of its own. */
  const stands = async (office: TestOffice, requestId: string, status = 'awaiting_signature', changes: object = {}) => {
    const { signature_request } = vendor.example('SignatureRequestGetResponse') as {
      signature_request: { signatures: object[] };
    };
    const row = await t.inOffice(office, (tx) =>
      tx.selectFrom('agreement').select('id').orderBy('askedAt', 'desc').executeTakeFirst(),
    );
    const isSigned = status === 'signed';
    const signature = {
      ...signature_request.signatures[0],
      status_code: status,
      signed_at: isSigned ? seconds() : null,
    };
    return {
      body: {
        signature_request: {
          ...signature_request,
          signature_request_id: requestId,
          is_complete: isSigned,
          metadata: { reference: `${office.id}.${row?.id}` },
          ...changes,
          signatures: [signature],
        },
      },
    };
  };
  /** An office whose agreement is waiting for a signature at the vendor. */
  const asked = async (requestId: string) => {
    const office = await t.office({ signed: false });
    vendor.answer('signatureRequestCreateEmbedded', await stands(office, requestId));
    const link = await retrieve(office);
    return { office, link };
  };

  // First, because later tests add requests that the job would check too.
  test('without a public URL, the job finds the signature, and fetches a file that was still being made later', async () => {
    const { office } = await asked('r6');
    const signed = await stands(office, 'r6', 'signed');
    vendor.answer('signatureRequestGet', signed, signed);
    vendor.answer('signatureRequestFiles', { status: 409, example: 'Error409Response' });
    t.later(5);
    await checkDueAgreements(t.services);
    expect(await statusOf(office)).toMatchObject({
      hellosignComplete: true,
      agreement: { state: 'signed', file: null },
    });
    t.later(5);
    await checkDueAgreements(t.services);
    expect((await statusOf(office)).agreement?.file).not.toBeNull();
  });

  test('each click returns a new link to the same request, for the vendor’s own frame', async () => {
    const { office, link } = await asked('r1');
    expect(link).toMatchObject({
      status: 200,
      body: {
        status: 'URL_RETRIEVED',
        url: expect.stringMatching(/^https:\/\/app\.hellosign\.com\/.*&token=/),
        client: { kind: 'dropbox-sign', clientId: 'app-of-ours', skipDomainVerification: true },
      },
    });
    vendor.answer('signatureRequestGet', await stands(office, 'r1'));
    expect((await retrieve(office)).body.status).toBe('URL_RETRIEVED');
    expect(vendor.calls.map(({ operation }) => operation)).toEqual([
      'signatureRequestCreateEmbedded',
      'embeddedSignUrl',
      'signatureRequestGet',
      'embeddedSignUrl',
    ]);
    expect(JSON.stringify((await t.app.inject('/')).headers['content-security-policy'])).toContain(
      'https://*.hellosign.com',
    );
  });

  test('a signed callback makes us read the request, store the file and answer the exact text; a repeat does nothing', async () => {
    const { office } = await asked('r2');
    const told = eventOf('signature_request_all_signed', seconds(), 'r2');
    vendor.answer('signatureRequestGet', await stands(office, 'r2', 'signed'));
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(told)));
    for (const { statusCode, body, headers } of answers)
      expect([statusCode, body, headers['content-type']]).toEqual([200, 'Hello API Event Received', 'text/plain']);
    expect(await statusOf(office)).toMatchObject({
      hellosignComplete: true,
      agreement: { state: 'signed', file: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
    expect(vendor.calls.filter(({ operation }) => operation === 'signatureRequestGet')).toHaveLength(1);
    const actions = (await t.auditEntries(office)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'agreement.sign')).toHaveLength(1);
    expect((await retrieve(office)).body).toMatchObject({ status: 'ALREADY_SIGNED', url: null });
  });

  test('a valid callback with a false claim changes nothing: only the request we read counts', async () => {
    const { office } = await asked('r3');
    vendor.answer('signatureRequestGet', await stands(office, 'r3'));
    expect((await tell(eventOf('signature_request_all_signed', seconds(), 'r3'))).statusCode).toBe(200);
    expect(await statusOf(office)).toMatchObject({ hellosignComplete: false, agreement: { state: 'open' } });
  });

  test('forged, tampered and old callbacks are refused without a call to the vendor', async () => {
    const { office } = await asked('r4');
    vendor.forget();
    const told = eventOf('signature_request_all_signed', seconds(), 'r4');
    const forged = [
      { ...told, event: { ...told.event, event_hash: '0'.repeat(64) } },
      { ...told, event: { ...told.event, event_time: String(seconds() - 1) } },
      eventOf('signature_request_all_signed', seconds() - 8 * 86_400, 'r4'),
    ];
    for (const one of forged) expect((await tell(one)).json()).toMatchObject({ code: 'wrong_signature' });
    expect(vendor.calls).toEqual([]);
    expect((await statusOf(office)).hellosignComplete).toBe(false);
  });

  test('a callback about an unknown request is acknowledged without a call to the vendor', async () => {
    expect((await tell(eventOf('signature_request_signed', seconds(), 'stranger'))).body).toBe(
      'Hello API Event Received',
    );
    expect((await tell({ event: eventOf('callback_test', seconds()).event })).body).toBe('Hello API Event Received');
    expect(vendor.calls).toEqual([]);
  });

  test('a request whose answer was lost is found again, not created twice', async () => {
    const office = await t.office({ signed: false });
    vendor.answer('signatureRequestCreateEmbedded', { instead: 'cut' });
    expect((await retrieve(office)).body.code).toBe('esign_away');
    expect((await retrieve(office)).body.status).toBe('LOADING');
    t.later(2);
    const { body } = await stands(office, 'r5');
    vendor.answer('signatureRequestList', { body: { list_info: {}, signature_requests: [body.signature_request] } });
    expect((await retrieve(office)).body.status).toBe('URL_RETRIEVED');
    expect(vendor.calls.filter(({ operation }) => operation === 'signatureRequestCreateEmbedded')).toHaveLength(1);
  });

  test('an unavailable vendor answers esign_away, with our text', async () => {
    const office = await t.office({ signed: false });
    vendor.answer('signatureRequestCreateEmbedded', {
      status: 429,
      example: 'Error429Response',
      headers: { 'retry-after': '9' },
    });
    const answer = await retrieve(office);
    expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 'esign_away', '9']);
  });
});
