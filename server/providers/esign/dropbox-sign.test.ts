import { PDFDocument } from 'pdf-lib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { callbackOf, hashOf, vendorKey } from '#testing/stand-ins/dropbox-sign-callback.ts';
import { openContractServer, specsDir, type ContractServer } from '#testing/stand-ins/contract-server.ts';
import { dropboxSign } from './dropbox-sign.ts';
import { eventsOfRequests } from './dropbox-sign-event.ts';
import { EsignSignatureInvalid, EsignRefused, type Esign } from './port.ts';

const now = new Date('2026-03-02T15:00:00.000Z');
const seconds = Math.floor(now.getTime() / 1000);
const reference = '0195a1de-0000-7000-8000-000000000001.0195a1de-0000-7000-8000-000000000002';

const open = (url: string, patienceMs?: number): Esign =>
  dropboxSign(
    { now: () => now },
    { apiKey: vendorKey, clientId: 'b6b8e7deaf8f0b95c029dca049356d4a2cf9710a', testMode: true, url },
    patienceMs,
  );

const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => error,
  );

describe.skipIf(!specsDir)('against the published contract of Dropbox Sign', () => {
  let vendor: ContractServer;
  let esign: Esign;
  let ask: Parameters<Esign['create']>[0];
  beforeAll(async () => {
    vendor = await openContractServer('dropbox-sign.openapi.json');
    esign = open(vendor.url);
    const pdf = await PDFDocument.create();
    pdf.addPage([612, 792]);
    ask = {
      reference,
      title: 'Business Associate Agreement',
      fileName: 'agreement.pdf',
      pdf: Buffer.from(await pdf.save()),
      readable: [],
      signer: { name: 'Dana Whitlock', email: 'front@maple.test' },
      place: { page: 3, x: 64, y: 200.4, width: 220, height: 46 },
    };
  });
  afterEach(() => vendor.forget());
  afterAll(() => vendor.close());

  /** A request from the vendor's examples, changed. */
  const request = (changes: object = {}, signature: object = {}) => {
    const { signature_request: known } = vendor.example('SignatureRequestGetResponse') as {
      signature_request: Record<string, unknown> & { signatures: object[] };
    };
    const waiting = { status_code: 'awaiting_signature', signed_at: null, last_viewed_at: null };
    return {
      ...known,
      is_complete: false,
      metadata: { reference },
      ...changes,
      signatures: [{ ...known.signatures[0], ...waiting, ...signature }],
    };
  };
  const answered = (changes: object = {}, signature: object = {}) => ({
    body: { signature_request: request(changes, signature) },
  });

  test('create sends the file, one signer and the signature fields, as the contract requires', async () => {
    expect(await esign.create(ask)).toEqual({
      requestId: 'a9f4825edef25f47e7b4c14ce8100d81d1693160',
      signatureId: '78caf2a1d01cd39cea2bc1cbb340dac3',
    });
    expect(vendor.problems()).toEqual([]);
    const [{ headers, body } = { headers: {}, body: {} }] = vendor.calls;
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${vendorKey}:`).toString('base64')}`);
    expect(body).toMatchObject({
      client_id: 'b6b8e7deaf8f0b95c029dca049356d4a2cf9710a',
      test_mode: true,
      allow_decline: true,
      signers: [{ name: 'Dana Whitlock', email_address: 'front@maple.test' }],
      metadata: { reference, officeId: reference.split('.')[0] },
      files: [expect.stringMatching(/^agreement\.pdf, application\/pdf, \d+ bytes$/)],
    });
    const { form_fields_per_document: fields } = body as { form_fields_per_document: object[] };
    expect(fields).toMatchObject([
      { type: 'signature', page: 3, x: 64, y: 546, width: 220, height: 46, signer: '0', required: true },
      { type: 'date_signed', page: 3, x: 296, y: 546 },
    ]);
  });

  test('list, read, link, file and cancel all follow the contract', async () => {
    await esign.read('fa5c8a0b0f492d768749333ad6fcc214c111e967');
    expect(await esign.find('nothing of ours')).toBeNull();
    await esign.mintLink({ requestId: 'x', signatureId: '50e3542f738adfa7ddd4cbd4c00d2a8ab6e4194b' }, {} as never);
    expect((await esign.signedPdf('fa5c')).subarray(0, 5).toString()).toBe('%PDF-');
    await esign.cancel('fa5c8a0b');
    expect(vendor.calls.map(({ operation }) => operation)).toEqual([
      'signatureRequestGet',
      'signatureRequestList',
      'signatureRequestList',
      'embeddedSignUrl',
      'signatureRequestFiles',
      'signatureRequestCancel',
    ]);
    expect(vendor.calls[2]?.query).toEqual({ query: 'nothing of ours' });
    expect(vendor.problems()).toEqual([]);
  });

  test('the contract server rejects any field the contract does not define, or defines differently', async () => {
    const post = async (fill: (form: FormData) => void) => {
      const form = new FormData();
      form.set('client_id', 'x');
      fill(form);
      const authorization = `Basic ${Buffer.from('k:').toString('base64')}`;
      await fetch(`${vendor.url}/signature_request/create_embedded`, {
        method: 'POST',
        body: form,
        headers: { authorization },
      });
      return vendor.calls.at(-1)?.problems ?? [];
    };
    const field = {
      document_index: 0,
      api_id: 'a',
      type: 'signature',
      required: true,
      signer: '0',
      width: 1,
      height: 1,
      x: 1,
      y: 1,
    };
    expect(await post(() => undefined)).toEqual([]);
    expect(await post((f) => f.delete('client_id'))).toHaveLength(1);
    expect(await post((f) => f.set('clientid', 'x'))).toHaveLength(1);
    expect(await post((f) => f.set('test_mode', 'yes'))).toHaveLength(1);
    expect(await post((f) => f.set('files[0]', 'text'))).toHaveLength(1);
    expect(await post((f) => f.set('title', new Blob(['x'])))).toHaveLength(1);
    expect(await post((f) => f.set('signers', '[{"name":"A"}]'))).toHaveLength(1);
    expect(await post((f) => f.set('signers', '[{"name":"A","email_address":"a@b.test","mail":1}]'))).toHaveLength(1);
    expect(await post((f) => f.set('signers[0][name]', 'A'))).toHaveLength(1);
    expect(await post((f) => f.set('form_fields_per_document', JSON.stringify([field])))).toEqual([]);
    expect(
      await post((f) => f.set('form_fields_per_document', JSON.stringify([{ ...field, font_size: 9 }]))),
    ).not.toEqual([]);
    expect(
      await post((f) =>
        f.set('form_fields_per_document', JSON.stringify([{ ...field, type: 'date_signed', font_size: 9 }])),
      ),
    ).toEqual([]);
    expect(await post((f) => f.set('signing_options', '{"default_type":"stamp"}'))).toHaveLength(1);
    const unsigned = await fetch(`${vendor.url}/account?email=x`);
    expect([unsigned.status, vendor.calls.at(-1)?.problems.length]).toEqual([400, 2]);
    expect((await fetch(`${vendor.url}/accounts`)).status).toBe(400);
  });

  test('mintLink returns the unescaped URL with the vendor’s expiry; refuses one that is not a web address', async () => {
    const { url, expiresAt } = await esign.mintLink({ requestId: 'x', signatureId: '50e3' }, {} as never);
    expect(url).toMatch(/^https:\/\/app\.hellosign\.com\/editor\/embeddedSign\?signature_id=50e3\w+&token=\w+$/);
    expect(expiresAt).toEqual(new Date(1634313821_000));
    vendor.answer('embeddedSignUrl', { body: { embedded: { sign_url: 'javascript:alert(1)', expires_at: 1 } } });
    expect(await outcome(esign.mintLink({ requestId: 'x', signatureId: 'y' }, {} as never))).toBeInstanceOf(
      EsignRefused,
    );
  });

  test.each([
    ['open', {}, {}],
    ['signed', { is_complete: true }, { status_code: 'signed', signed_at: seconds }],
    ['signed', {}, { status_code: 'signed', signed_at: seconds }],
    ['declined', { is_declined: true }, { status_code: 'declined', decline_reason: 'Not me' }],
    ['declined', {}, { status_code: 'declined' }],
    ['expired', {}, { status_code: 'expired' }],
    ['canceled', {}, { status_code: 'canceled' }],
    ['failed', { has_error: true }, { status_code: 'error_unknown' }],
    ['open', {}, { status_code: 'on_hold' }],
  ] as const)('read returns state %s for %j %j', async (state, changes, signature) => {
    vendor.answer('signatureRequestGet', answered(changes, signature));
    expect(await esign.read('fa5c')).toMatchObject({
      state,
      reference,
      signer: { name: 'John Doe', email: 'john@example.com' },
    });
  });

  test('read returns when it was viewed, signed or declined, and why', async () => {
    const facts = {
      status_code: 'declined',
      last_viewed_at: seconds - 60,
      signed_at: seconds,
      decline_reason: 'Wrong practice',
    };
    vendor.answer('signatureRequestGet', answered({ metadata: { other: 1 } }, facts));
    expect(await esign.read('fa5c')).toMatchObject({
      reference: null,
      viewedAt: new Date((seconds - 60) * 1000),
      signedAt: now,
      declineReason: 'Wrong practice',
    });
  });

  test('find returns our request among strangers and malformed ones, even if only the search lists it', async () => {
    const mine = { requestId: 'mine', signatureId: '78caf2a1d01cd39cea2bc1cbb340dac3' };
    const list = (...requests: unknown[]) => ({ body: { list_info: {}, signature_requests: requests } });
    const others = [{ odd: true }, request({ metadata: { reference: 'other' } }), request({ metadata: null })];
    vendor.answer('signatureRequestList', list(...others, request({ signature_request_id: 'mine' })));
    expect(await esign.find(reference)).toEqual(mine);
    vendor.answer('signatureRequestList', list(...others), list(request({ signature_request_id: 'mine' })));
    expect(await esign.find(reference)).toEqual(mine);
  });

  test.each([
    [400, 'Error400Response', 'invalid', false],
    [401, 'Error401Response', 'unauthorized', false],
    [402, 'Error402Response', 'payment', false],
    [403, 'Error403Response', 'forbidden', false],
    [404, 'Error404Response', 'not-found', false],
    [409, 'Error409Response', 'conflict', true],
    [410, 'Error410Response', 'gone', false],
    [429, 'Error429Response', 'rate', true],
  ])(
    'status %i becomes our reason, and the vendor’s text never gets into the error',
    async (status, example, reason, tryAgain) => {
      for (const call of ['signatureRequestGet', 'signatureRequestCreateEmbedded'])
        vendor.answer(call, { status, example, headers: { 'retry-after': '7' } });
      for (const error of [await outcome(esign.read('x')), await outcome(esign.create(ask))] as EsignRefused[]) {
        expect(error).toMatchObject({ name: 'EsignRefused', reason, tryAgain });
        expect(error.retryAfterSeconds).toBe(status === 429 ? 7 : undefined);
        const said = vendor.example(example) as { error: { error_msg: string } } | undefined;
        const message = said?.error.error_msg ?? 'bad_request';
        expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(message);
      }
    },
  );

  test('after too many calls, the vendor says when to retry, within reason', async () => {
    const reset = (at: string) => ({ status: 429, example: 'Error429Response', headers: { 'x-ratelimit-reset': at } });
    vendor.answer(
      'signatureRequestGet',
      reset(String(Math.ceil(Date.now() / 1000) + 30)),
      reset('99999999999'),
      reset('x'),
    );
    const waits = [];
    for (let i = 0; i < 3; i++) waits.push(((await outcome(esign.read('x'))) as EsignRefused).retryAfterSeconds);
    expect(waits[0]).toBeGreaterThan(25);
    expect(waits).toEqual([waits[0], 3600, 60]);
  });

  test('a failed read is retried once; after that, or without a valid answer, the vendor is unreachable', async () => {
    const stumbles = [{ status: 503 }, { instead: 'cut' as const }];
    for (const stumble of stumbles) {
      vendor.answer('signatureRequestGet', stumble, answered());
      expect(await esign.read('x')).toMatchObject({ state: 'open' });
    }
    const answers = [
      { status: 500, body: '<html>' },
      { body: '{"signature_request":' },
      { body: {} },
      { body: 'null' },
      { body: { signature_request: { ...request(), signatures: [] } } },
    ];
    for (const answer of answers) {
      vendor.answer('signatureRequestGet', answer, answer);
      expect(await outcome(esign.read('x'))).toMatchObject({ reason: 'unreachable', tryAgain: true });
    }
    const slow = open(vendor.url, 60);
    vendor.answer('signatureRequestGet', { instead: 'silence' }, { instead: 'silence' });
    expect(await outcome(slow.read('x'))).toMatchObject({ reason: 'unreachable' });
  });

  test('create is never retried by itself: without an answer it may have succeeded', async () => {
    for (const stumble of [{ status: 502 }, { instead: 'cut' as const }, { body: 'half' }]) {
      vendor.forget();
      vendor.answer('signatureRequestCreateEmbedded', stumble);
      expect(await outcome(esign.create(ask))).toMatchObject({ reason: 'unreachable' });
      expect(vendor.calls).toHaveLength(1);
    }
    vendor.answer('signatureRequestCreateEmbedded', { instead: 'silence' });
    expect(await outcome(esign.create({ ...ask, signal: AbortSignal.timeout(50) }))).toMatchObject({
      reason: 'unreachable',
    });
  });

  test('signedPdf: not ready while being prepared, never if the request failed, and no redirect is followed', async () => {
    vendor.answer('signatureRequestFiles', { status: 409, example: 'Error409Response' });
    expect(await outcome(esign.signedPdf('x'))).toMatchObject({ reason: 'not-ready', tryAgain: true });
    vendor.answer('signatureRequestFiles', { status: 422, body: {} });
    expect(await outcome(esign.signedPdf('x'))).toMatchObject({ reason: 'invalid', tryAgain: false });
    const elsewhere = { status: 302, headers: { location: `${vendor.url}/account` } };
    vendor.answer('signatureRequestFiles', elsewhere, elsewhere);
    expect(await outcome(esign.signedPdf('x'))).toMatchObject({ reason: 'unreachable' });
    expect(vendor.calls.every(({ operation }) => operation === 'signatureRequestFiles')).toBe(true);
  });

  test('cancel: a request that has ended stays as it is without an error; one still open is an error', async () => {
    vendor.answer('signatureRequestCancel', { status: 410, example: 'Error410Response' });
    await esign.cancel('x');
    vendor.answer('signatureRequestCancel', { status: 400, example: 'Error400Response' });
    vendor.answer('signatureRequestGet', answered({ is_complete: true }));
    await esign.cancel('x');
    vendor.answer('signatureRequestCancel', { status: 400, example: 'Error400Response' });
    vendor.answer('signatureRequestGet', answered());
    expect(await outcome(esign.cancel('x'))).toMatchObject({ reason: 'invalid' });
  });

  test('our ids never lead to another endpoint', async () => {
    await outcome(esign.read('../account?x=1#'));
    expect(vendor.calls[0]?.path).toBe('/signature_request/..%2Faccount%3Fx%3D1%23');
  });

  test('the vendor’s example callbacks, signed with our key, are read; those of accounts and templates are ignored', async () => {
    const examples = Object.keys(vendor.document.components.examples ?? {}).filter((name) =>
      name.startsWith('EventCallback'),
    );
    expect(examples.length).toBe(5);
    for (const name of examples) {
      const told = vendor.example(name) as { event: { event_type: string } };
      const type = told.event.event_type;
      const signed = {
        ...told,
        event: { ...told.event, event_time: String(seconds), event_hash: hashOf(String(seconds), type) },
      };
      expect(esign.readCallback(callbackOf(signed))).toBeNull();
      expect(() => esign.readCallback(callbackOf(told))).toThrow(EsignSignatureInvalid);
      const viewed = 'signature_request_viewed';
      const seen = {
        ...signed,
        event: { ...signed.event, event_type: viewed, event_hash: hashOf(String(seconds), viewed) },
      };
      const requestId = (told as { signature_request?: { signature_request_id: string } }).signature_request
        ?.signature_request_id;
      expect(esign.readCallback(callbackOf(seen))).toMatchObject({ type: viewed, requestId: requestId ?? null });
    }
    const known = vendor.document.components.schemas?.EventCallbackRequestEvent as {
      properties: { event_type: { enum: string[] } };
    };
    for (const type of eventsOfRequests) expect(known.properties.event_type.enum).toContain(type);
  });
});

test('an unreachable vendor: create definitely requested nothing, and nothing hangs', async () => {
  const esign = open('http://127.0.0.1:9');
  expect(await outcome(esign.read('x'))).toMatchObject({ reason: 'unreachable' });
});
