import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { askForLink, openPage, pressSigningButton } from '#testing/fixtures/signing.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

const unsigned = () => t.office({ signed: false });
const linkOf = async (office: TestOffice) => (await askForLink(t, office)).body.url ?? '';

describe('the signing link', () => {
  test('the link opens once, and the second visitor sees a message', async () => {
    const url = await linkOf(await unsigned());
    expect((await openPage(t, url)).status).toBe(200);
    const again = await openPage(t, url);
    expect([again.status, again.key]).toEqual([410, undefined]);
    expect(again.body).toContain('opened already');
  });

  test('20 concurrent openings: exactly one gets the signing page', async () => {
    const url = await linkOf(await unsigned());
    const pages = await Promise.all(Array.from({ length: 20 }, () => openPage(t, url)));
    expect(pages.filter(({ key }) => key !== undefined)).toHaveLength(1);
  });

  test('the link and its page work for sixty minutes', async () => {
    const office = await unsigned();
    const [late, intime] = [await linkOf(office), await linkOf(office)];
    t.later(59);
    const { key } = await openPage(t, intime);
    expect(key).toBeDefined();
    t.later(2);
    expect(await openPage(t, late)).toMatchObject({ status: 410, key: undefined });
    t.later(57);
    expect((await t.app.inject(`/esign/page/${key}/document`)).statusCode).toBe(200);
    t.later(2);
    expect(await pressSigningButton(t, key, 'sign')).toMatchObject({ state: 'late' });
  });

  test('HEAD and prefetch do not use up the link', async () => {
    const url = await linkOf(await unsigned());
    expect((await t.app.inject({ method: 'HEAD', url })).statusCode).toBe(404);
    expect((await t.app.inject({ url, headers: { 'sec-purpose': 'prefetch' } })).statusCode).toBe(503);
    expect((await openPage(t, url)).status).toBe(200);
  });

  test('the database stores only the link’s hash', async () => {
    const token = (await linkOf(await unsigned())).split('/').at(-1) ?? '';
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from esign.link l where l::text like ${`%${token}%`}) as found`.execute(t.owner);
    expect(rows[0]?.found).toBe(false);
  });

  test('the page is self-contained, can be framed only by us, and runs no other scripts', async () => {
    const { body, headers } = await openPage(t, await linkOf(await unsigned()));
    expect(headers).toMatchObject({ 'x-frame-options': 'SAMEORIGIN', 'cache-control': 'no-store' });
    expect(headers['content-security-policy']).toContain("script-src 'self'; style-src 'self'");
    expect(body).not.toMatch(/<script>|onclick=|style="/);
    for (const file of ['page.css', 'page.js', 'signature_pad.js', 'hand.ttf'])
      expect((await t.app.inject(`/esign/assets/${file}`)).statusCode, file).toBe(200);
    for (const file of ['..%2Flocal.ts', 'page.ts', 'constructor'])
      expect((await t.app.inject(`/esign/assets/${file}`)).statusCode, file).toBe(404);
  });

  test.each([
    ['no name', { name: ' ' }],
    ['no letters', { name: '12' }],
    ['no consent', { consent: false }],
    ['an empty drawing', { strokes: [] }],
    ['a drawing beyond its pad', { strokes: [[[0.5, 7]]] }],
    ['half a character', { name: 'Dana \ud800' }],
    ['a NUL', { name: 'Dana \u0000' }],
  ])('a signature with %s is refused', async (_what, body) => {
    const { key } = await openPage(t, await linkOf(await unsigned()));
    expect((await pressSigningButton(t, key, 'sign', body)).status).toBe(400);
    expect(await pressSigningButton(t, key, 'sign')).toMatchObject({ state: 'done' });
  });

  test('an unknown key opens and signs nothing', async () => {
    expect(await pressSigningButton(t, 'A'.repeat(32), 'sign')).toEqual({ status: 200, state: 'unknown' });
    expect((await t.app.inject(`/esign/page/${'A'.repeat(32)}/document`)).statusCode).toBe(410);
    expect((await openPage(t, '/esign/sign/made-up')).status).toBe(404);
  });

  test('twenty presses of Sign make one signature', async () => {
    const office = await unsigned();
    const { key } = await openPage(t, await linkOf(office));
    const presses = await Promise.all(Array.from({ length: 20 }, () => pressSigningButton(t, key, 'sign')));
    expect(presses.filter(({ state }) => state === 'done')).toHaveLength(1);
    expect(new Set(presses.map(({ state }) => state))).toEqual(new Set(['done', 'signed']));
    const signed = await t.owner
      .selectFrom('esign.event')
      .innerJoin('esign.request as r', 'r.id', 'esign.event.requestId')
      .select('esign.event.id')
      .where('r.reference', 'like', `${office.id}.%`)
      .where('type', '=', 'signed')
      .execute();
    expect(signed).toHaveLength(1);
  });
});
