import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { photoMaxBytes } from '#contract/forms/filling.ts';
import { signatureImage, openVisitPhone, photo } from '#testing/fixtures/forms.ts';
import { openTestApp, type TestApp } from '#testing/app/test-app.ts';

let testApp: TestApp;
let phone: ReturnType<typeof openVisitPhone>;
beforeAll(async () => {
  testApp = await openTestApp();
  phone = openVisitPhone(testApp, (await testApp.visit()).token);
});
afterAll(() => testApp.close());

const files = () => testApp.inOffice(testApp.maple, (tx) => tx.selectFrom('formFile').selectAll().execute());

test('a photo is stored, and shown again to the phone that took it', async () => {
  const { status, body } = await phone.upload(await photo(300, 200));
  expect(status).toBe(200);
  expect(body).toMatchObject({ url: `urn:uuid:${body.fileId}`, contentType: 'image/jpeg', width: 300, height: 200 });
  const shown = await phone.photo(body.fileId);
  expect(shown.headers['content-type']).toBe('image/jpeg');
  expect(shown.rawPayload.length).toBe(body.size);
});

test('a stored photo has no metadata of place, device or owner, and is upright', async () => {
  const sideways = await sharp({ create: { width: 400, height: 100, channels: 3, background: '#a33' } })
    .jpeg()
    .withExif({ IFD0: { Make: 'SecretCam', Artist: 'Ada Byron' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect(sideways.toString('latin1')).toContain('SecretCam');
  const { body } = await phone.upload(sideways);
  expect(body).toMatchObject({ width: 100, height: 400 });
  const kept = (await phone.photo(body.fileId)).rawPayload;
  const told = await sharp(kept).metadata();
  expect([told.exif, told.icc, told.xmp, told.orientation]).toEqual([undefined, undefined, undefined, undefined]);
  expect(kept.toString('latin1')).not.toContain('SecretCam');
});

test('a photo from any camera is scaled to fit a page', async () => {
  const { body } = await phone.upload(await photo(6000, 4000));
  expect(body).toMatchObject({ width: 2400, height: 1600 });
});

test('a drawn signature keeps its lines, on white', async () => {
  const { body } = await phone.upload(await signatureImage(500, 200), 'image/png', 'signature');
  expect(body).toMatchObject({ contentType: 'image/png', width: 500, height: 200 });
  const { dominant } = await sharp((await phone.photo(body.fileId)).rawPayload).stats();
  expect(dominant).toEqual({ r: 248, g: 248, b: 248 });
});

test.each(['#00000000', '#ffffff', '#333333'])(
  'a signature picture with nothing drawn on it (%s) is refused',
  async (background) => {
    const before = (await files()).length;
    const blank = await sharp({ create: { width: 500, height: 200, channels: 4, background } })
      .png()
      .toBuffer();
    const { status, body } = await phone.upload(blank, 'image/png', 'signature');
    expect([status, body.code]).toEqual([415, 'signature_blank']);
    expect(await files()).toHaveLength(before);
  },
);

test('data hidden behind a picture is dropped', async () => {
  const hidden = '<script>alert(1)</script>';
  const zip = Buffer.from('504b0304', 'hex');
  const { status, body } = await phone.upload(Buffer.concat([await photo(), Buffer.from(hidden), zip]));
  expect(status).toBe(200);
  const kept = (await phone.photo(body.fileId)).rawPayload;
  expect(kept.includes(hidden)).toBe(false);
  expect(kept.includes(zip)).toBe(false);
});

test.each([
  ['nothing', () => Buffer.alloc(0)],
  ['words', () => Buffer.from('this is not a picture')],
  ['a page', () => Buffer.from('<html><script>alert(1)</script></html>')],
  ['a drawing with scripts', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['a PDF', () => Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj')],
  ['only the beginning of a photo', async () => (await photo(800, 800)).subarray(0, 300)],
  [
    'a GIF',
    () =>
      sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
        .gif()
        .toBuffer(),
  ],
])('uploading %s is refused with an explanation, whatever its media type says', async (_what, make) => {
  const { status, body } = await phone.upload(await make());
  expect([status, body.code]).toEqual([415, 'photo_unreadable']);
});

test('uploading HEIC is refused with advice on what to do instead', async () => {
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)]);
  const { status, body } = await phone.upload(heic, 'image/heic');
  expect([status, body.code]).toEqual([415, 'photo_heic']);
});

test('a picture that would exhaust the memory is refused before it is decoded', async () => {
  const { status, body } = await phone.upload(bomb(50_000, 50_000), 'image/png');
  expect([status, body.code]).toEqual([413, 'photo_too_large']);
});

test('uploading 40 MB is refused, with or without a Content-Length', async () => {
  const large = Buffer.concat([await photo(), Buffer.alloc(40_000_000)]);
  expect(large.length).toBeGreaterThan(photoMaxBytes);
  const { status, body } = await phone.upload(large);
  expect([status, body.code]).toEqual([413, 'photo_too_large']);
});

test('an upload without a visit is refused before its body is read', async () => {
  const stranger = openVisitPhone(testApp, 'A'.repeat(32));
  const { status, body } = await stranger.upload(await photo());
  expect([status, body.code]).toEqual([404, 'visit_link_ended']);
});

test('another visit cannot see the photo', async () => {
  const { body } = await phone.upload(await photo());
  const other = openVisitPhone(testApp, (await testApp.visit()).token);
  expect((await other.photo(body.fileId)).statusCode).toBe(404);
});

test('if the store fails, uploading says so and leaves nothing behind', async () => {
  const before = (await files()).length;
  const { storage } = testApp.services.providers;
  const put = storage.put;
  storage.put = () => Promise.reject(new Error('no space left on device'));
  const { status, body } = await phone.upload(await photo());
  storage.put = put;
  expect([status, body.code]).toEqual([503, 'files_away']);
  expect(await files()).toHaveLength(before);
});

test('a PNG of more pixels than a screenshot has is refused; a photo of as many is stored', async () => {
  const large = sharp({ create: { width: 5_000, height: 4_000, channels: 3, background: '#a33' } });
  const { status, body } = await phone.upload(await large.clone().png().toBuffer(), 'image/png');
  expect([status, body.code]).toEqual([413, 'photo_too_large']);
  expect((await phone.upload(await large.jpeg().toBuffer())).status).toBe(200);
});

test('a network that holds 100 MB of unfinished uploads is asked to retry, and another network is not', async () => {
  const { token } = await testApp.visit();
  const held: Readable[] = [];
  const upload = (remoteAddress: string, payload: Readable | Buffer, length: number) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/visit/${token}/form-files`,
      remoteAddress,
      headers: { 'content-type': 'image/jpeg', 'content-length': String(length) },
      payload,
    });
  const hold = () => {
    const body = new Readable({ read: () => undefined });
    body.push(Buffer.alloc(18_000_000));
    held.push(body);
    return upload('10.3.0.1', body, 19_000_000);
  };
  const uploads = Array.from({ length: 6 }, hold);
  const tooLate = new Promise<null>((done) => setTimeout(() => done(null), 10_000));
  const refused = await Promise.race([...uploads, tooLate]);
  expect(refused?.statusCode).toBe(503);
  expect(refused?.json()).toMatchObject({ code: 'overloaded' });
  const small = await photo();
  expect((await upload('10.3.0.2', small, small.length)).statusCode).toBe(200);
  for (const body of held) body.push(null);
  await Promise.all(uploads);
  expect((await upload('10.3.0.1', small, small.length)).statusCode).toBe(200);
});

test('uploads that announce their bytes and send none hold no memory', async () => {
  const { token } = await testApp.visit();
  const upload = (network: number, payload: Readable | Buffer, length: number) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/visit/${token}/form-files`,
      remoteAddress: `10.5.${network}.1`,
      headers: { 'content-type': 'image/jpeg', 'content-length': String(length) },
      payload,
    });
  const held = Array.from({ length: 30 }, () => new Readable({ read: () => undefined }));
  const uploads = held.map((body, i) => upload(i % 6, body, 19_000_000));
  await sleep(200);
  const small = await photo();
  expect((await upload(0, small, small.length)).statusCode).toBe(200);
  for (const body of held) body.push(null);
  const statuses = (await Promise.all(uploads)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([415]));
});

test('a network that uploads 40 photos at once is asked to retry, and another network is not', async () => {
  const { token } = await testApp.visit();
  const large = await photo(4_000, 3_000);
  const upload = (remoteAddress: string) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/visit/${token}/form-files`,
      remoteAddress,
      headers: { 'content-type': 'image/jpeg', 'content-length': String(large.length) },
      payload: large,
    });
  const many = Array.from({ length: 40 }, () => upload('10.4.0.1'));
  const few = await Promise.all(Array.from({ length: 4 }, () => upload('10.4.0.2')));
  expect(few.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  const refused = (await Promise.all(many)).filter(({ statusCode }) => statusCode !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(40);
  for (const { statusCode, headers } of refused) expect([statusCode, headers['retry-after']]).toEqual([503, '3']);
});

test('30 concurrent uploads are each stored or asked to retry, and none is lost', async () => {
  const one = await photo(1200, 900);
  const busy = openVisitPhone(testApp, (await testApp.visit()).token);
  const answers = await Promise.all(Array.from({ length: 30 }, () => busy.upload(one)));
  const counts = Map.groupBy(answers, ({ status }) => status);
  expect([...counts.keys()].every((status) => status === 200 || status === 503)).toBe(true);
  expect(counts.get(200)?.length).toBeGreaterThanOrEqual(8);
});

/** A PNG whose header promises that many pixels and whose data is a few bytes of zeros. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const magic = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
