import { createHash } from 'node:crypto';
import forge from 'node-forge';
import { PDFDocument } from 'pdf-lib';
import { checkAccessibility } from '#testing/fixtures/pdf-accessibility.ts';
import { pdfTexts } from '#testing/fixtures/pdf-texts.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreement, session } from '#contract/index.ts';
import { readPoster } from '#contract/practice/office.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import {
  askForLink,
  openPage,
  pressSigningButton,
  deliverEsignEvents,
  signAgreement,
} from '#testing/fixtures/signing.ts';
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
const rowsOf = (office: TestOffice) =>
  t.inOffice(office, (tx) => tx.selectFrom('agreement').selectAll().orderBy('askedAt').orderBy('id').execute());
const actionsOf = async (office: TestOffice) => (await t.auditEntries(office)).map(({ action }) => action);
const linkOf = async (office: TestOffice) => (await askForLink(t, office)).body.url ?? '';

describe('signing the agreement', () => {
  test('signing takes the office from the click to an open panel', async () => {
    const office = await unsigned();
    expect(await mayEnter(office)).toBe(false);
    const asked = await askForLink(t, office);
    expect(asked.body).toMatchObject({ status: 'URL_RETRIEVED', client: { kind: 'page' } });
    const page = await openPage(t, asked.body.url ?? '');
    expect(page.body).toContain('demonstration');
    expect(await pressSigningButton(t, page.key, 'sign')).toEqual({ status: 200, state: 'done' });
    expect(await mayEnter(office)).toBe(false); // until the provider has told us, or we have looked
    await deliverEsignEvents(t);
    expect(await mayEnter(office)).toBe(true);
    expect(await statusOf(office)).toMatchObject({
      hellosignComplete: true,
      signedAt: t.now().toISOString(),
      agreement: {
        state: 'signed',
        signerName: 'Dana Whitlock',
        file: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
    expect((await t.call(session.readSession, {}, { as: office })).body.gate.because).not.toBe('agreement-missing');
    expect((await askForLink(t, office)).body).toMatchObject({ status: 'ALREADY_SIGNED', url: null });
    const entries = (await t.auditEntries(office)).filter(({ action }) => action.startsWith('agreement.'));
    expect(entries.map(({ action, actor }) => `${action} by ${actor}`)).toEqual([
      'agreement.ask by staff',
      'agreement.link by staff',
      'agreement.sign by house',
      'agreement.file by house',
    ]);
  });

  test('without a callback, the browser’s "signed" triggers a check at the provider', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    t.later(1);
    expect((await confirm(office)).body.hellosignComplete).toBe(false); // the browser says so, the provider does not
    await pressSigningButton(t, key, 'sign');
    t.later(1);
    expect((await confirm(office)).body).toMatchObject({ hellosignComplete: true, agreement: { state: 'signed' } });
  });

  test('without callback and browser, the timer finds the signature', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    await pressSigningButton(t, key, 'sign');
    await checkDueAgreements(t.services);
    expect(await mayEnter(office)).toBe(false);
    t.later(3);
    await checkDueAgreements(t.services);
    expect(await mayEnter(office)).toBe(true);
  });

  test('a return on another device gets a new link to the same request', async () => {
    const office = await unsigned();
    await openPage(t, await linkOf(office));
    const { key } = await openPage(t, await linkOf(office));
    expect(await requestsOf(office)).toHaveLength(1);
    expect(await pressSigningButton(t, key, 'sign')).toMatchObject({ state: 'done' });
  });

  test('ten parallel clicks create one request at the provider', async () => {
    const office = await unsigned();
    const clicks = await Promise.all(Array.from({ length: 10 }, () => askForLink(t, office)));
    expect(new Set(clicks.map(({ status }) => status))).toEqual(new Set([200]));
    expect(clicks.filter(({ body }) => body.status === 'URL_RETRIEVED')).not.toHaveLength(0);
    expect(await requestsOf(office)).toHaveLength(1);
    expect(await rowsOf(office)).toHaveLength(1);
  });

  test('another signer gets a request in their own name, and the first one ends', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    await askForLink(t, office, 'other@maple.test');
    expect((await requestsOf(office)).map(({ state, signerEmail }) => [state, signerEmail])).toEqual([
      ['canceled', 'owner@maple.test'],
      ['open', 'other@maple.test'],
    ]);
    expect(await pressSigningButton(t, key, 'sign')).toMatchObject({ state: 'canceled' });
    await deliverEsignEvents(t);
    expect((await statusOf(office)).agreement).toMatchObject({ state: 'open', signerEmail: 'other@maple.test' });
  });

  test('a declined agreement has its reason, and a new one can be requested', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    expect(await pressSigningButton(t, key, 'decline', { reason: 'Our lawyer reads it first' })).toMatchObject({
      state: 'declined',
    });
    await deliverEsignEvents(t);
    expect((await statusOf(office)).agreement).toMatchObject({
      state: 'declined',
      declineReason: 'Our lawyer reads it first',
    });
    expect((await askForLink(t, office)).body.status).toBe('URL_RETRIEVED');
    expect((await statusOf(office)).agreement).toMatchObject({ state: 'open' });
    expect(await mayEnter(office)).toBe(false);
  });

  test('an unsigned request expires after a month, and the next click creates a new one', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    const before = t.now();
    t.later(30 * 24 * 60 + 1);
    expect(await pressSigningButton(t, key, 'sign')).toMatchObject({ state: 'expired' });
    await deliverEsignEvents(t);
    expect((await statusOf(office)).agreement).toMatchObject({ state: 'expired' });
    expect((await askForLink(t, office)).body.status).toBe('URL_RETRIEVED');
    expect((await requestsOf(office)).map(({ state }) => state)).toEqual(['expired', 'open']);
    t.at(before);
  });

  test('each agreement names its own version of the text', async () => {
    const office = await unsigned();
    await signAgreement(t, office);
    await t.inOffice(office, (tx) => tx.updateTable('agreement').set({ version: '2019-01' }).execute());
    expect(await statusOf(office)).toMatchObject({ currentVersion: '2026-03', agreement: { version: '2019-01' } });
  });
});

interface SignedMessage {
  rawCapture: { authenticatedAttributes: unknown[]; signature: string; digestAlgorithm: string };
  certificates: { publicKey: unknown }[];
}

describe('the signed document', () => {
  let office: TestOffice;
  let pdf: Buffer;
  beforeAll(async () => {
    office = await t.office({ signed: false, name: 'Zażółć & “Sons” Pediatrics' });
    const { body } = await askForLink(t, office);
    const { key } = await openPage(t, body.url ?? '');
    const strokes = [
      [
        [0.1, 0.5],
        [0.4, 0.2],
        [0.9, 0.8],
      ],
      [[0.5, 0.5]],
    ];
    await pressSigningButton(t, key, 'sign', { name: 'Łucja Ñandú', strokes, ratio: 0.3 });
    await deliverEsignEvents(t);
    const { body: file } = await t.call(agreement.downloadAgreement, {}, { as: office });
    pdf = (await t.app.inject(file.url)).rawPayload;
  });

  test('the download is the signed file and matches its saved hash', async () => {
    const status = await statusOf(office);
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(status.agreement?.file?.sha256);
    expect(pdf.length).toBe(status.agreement?.file?.bytes);
    expect(await actionsOf(office)).toContain('agreement.download');
  });

  test('the document has a signature over the whole file and page numbers', async () => {
    expect(pdf.includes('/SubFilter /adbe.pkcs7.detached')).toBe(true);
    const [, a, b, c, d] = /\/ByteRange\s*\[\s*(\d+) (\d+) (\d+) (\d+)/.exec(pdf.toString('latin1')) ?? [];
    expect([Number(a), Number(c) + Number(d)]).toEqual([0, pdf.length]);
    expect(Number(b)).toBeLessThan(Number(c));
    const read = await PDFDocument.load(pdf);
    expect(read.getPageCount()).toBeGreaterThan(2);
    expect(read.getTitle()).toContain('Zażółć & “Sons” Pediatrics');
  });

  test('the signature is valid for exactly the file’s bytes', () => {
    const [, a, b, c, d] = (/\/ByteRange\s*\[\s*(\d+) (\d+) (\d+) (\d+)/.exec(pdf.toString('latin1')) ?? []).map(
      Number,
    );
    const signed = Buffer.concat([pdf.subarray(a, b), pdf.subarray(c, (c ?? 0) + (d ?? 0))]);
    const der = Buffer.from(pdf.toString('latin1', (b ?? 0) + 1, (c ?? 0) - 1), 'hex').toString('latin1');
    const asn1 = forge.asn1.fromDer(der, { parseAllBytes: false } as never);
    const message = forge.pkcs7.messageFromAsn1(asn1) as unknown as SignedMessage;
    const { authenticatedAttributes, signature, digestAlgorithm } = message.rawCapture;
    expect(forge.pki.oids[forge.asn1.derToOid(digestAlgorithm)]).toBe('sha256');
    const attributes = forge.asn1.create(
      forge.asn1.Class.UNIVERSAL,
      forge.asn1.Type.SET,
      true,
      authenticatedAttributes as never,
    );
    const key = message.certificates[0]?.publicKey as forge.pki.rsa.PublicKey;
    const digest = forge.md.sha256.create().update(forge.asn1.toDer(attributes).getBytes()).digest().getBytes();
    expect(key.verify(digest, signature)).toBe(true);
    const hash = createHash('sha256').update(signed).digest().toString('latin1');
    expect(forge.asn1.toDer(attributes).getBytes()).toContain(hash);
  });

  test('the document is accessible: the signature and its audit trail are tagged', async () => {
    const { problems, root } = await checkAccessibility(pdf);
    expect(problems).toEqual([]);
    const types = root.children.map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(['H1', 'Table', 'P']);
    expect(types.slice(-3)).toEqual(['Figure', 'Sect', 'Form']);
    expect(root.children.at(-3)?.alt).toMatch(/^Handwritten signature of Łucja Ñandú, 2026-/);
    expect((await pdfTexts(pdf)).join('')).toContain('Signature record');
  });

  test('a download link works for two minutes and one file', async () => {
    const { body } = await t.call(agreement.downloadAgreement, {}, { as: office });
    const opened = await t.app.inject(body.url);
    expect(opened.statusCode).toBe(200);
    expect(opened.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-frame-options': 'SAMEORIGIN' });
    expect(String(opened.headers['content-disposition'])).toContain('attachment; filename="business-associate');
    t.later(2.1);
    expect((await t.app.inject(body.url)).statusCode).toBe(404);
  });

  test('a changed file is not handed out', async () => {
    const spoilt = await unsigned();
    await signAgreement(t, spoilt);
    await t.inOffice(spoilt, (tx) =>
      tx
        .updateTable('agreement')
        .set({ fileSha256: '0'.repeat(64) })
        .execute(),
    );
    const answer = await t.call(agreement.downloadAgreement, {}, { as: spoilt });
    expect([answer.status, answer.body.code]).toEqual([503, 'file_damaged']);
  });

  test('an office that signed outside the program has no document', async () => {
    expect((await t.call(agreement.downloadAgreement)).status).toBe(404);
  });
});

describe('access to an agreement', () => {
  test('another office’s agreement and a missing one are the same 404', async () => {
    const [office, other] = [await unsigned(), await unsigned()];
    await linkOf(other);
    for (const id of [other.id, '019f1111-1111-7111-8111-111111111111', other.npi, '']) {
      const input = { params: { esign: 'local' }, body: { officeId: id, email: 'owner@maple.test' } };
      const asked = await t.call(agreement.retrieveSigning, input, { as: office });
      expect([asked.status, asked.body.code]).toEqual([404, 'office_not_found']);
      const confirmed = await t.call(
        agreement.confirmSigned,
        { params: { esign: 'local' }, body: { id } },
        { as: office },
      );
      expect(confirmed.status).toBe(404);
    }
    expect((await statusOf(office)).agreement).toBeNull();
  });

  test('a member of two offices acts in the one their tab shows', async () => {
    const [one, two] = [await unsigned(), await unsigned()];
    const both = { token: await t.signIn(await t.addStaff({ name: 'Works at two' }, [one, two])) };
    const headers = { 'x-office': one.id };
    expect((await askForLink(t, two, 'a@maple.test', { as: both, headers })).status).toBe(404);
    expect((await askForLink(t, one, 'a@maple.test', { as: both, headers })).status).toBe(200);
    expect((await askForLink(t, two, 'a@maple.test', { as: both })).status).toBe(200);
  });

  test.each(['', 'dana', 'dana@maple', 'dana whitlock@maple.test'])(
    '%j is refused as a signer’s address',
    async (email) => {
      const answer = await askForLink(t, await unsigned(), email);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_email']);
    },
  );

  test('the calls require a session and reveal nothing to a stranger', async () => {
    const office = await unsigned();
    expect((await askForLink(t, office, 'a@maple.test', { as: null })).status).toBe(401);
    expect((await t.call(agreement.readAgreement, {}, { as: null })).status).toBe(401);
    const loner = { token: await t.signIn(await t.addStaff({ name: 'Nowhere yet' }, [])) };
    expect((await t.call(agreement.readAgreement, {}, { as: loner })).body.code).toBe('no_office');
  });
});
