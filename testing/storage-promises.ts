import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  FileExists,
  FileMissing,
  FileTooLarge,
  isFileKey,
  newFileKey,
  type LinkOptions,
  type Storage,
} from '#server/providers/storage/port.ts';

/** A file store to be held to its promises. */
export interface StoreAtHand {
  storage: Storage;
  now(): Date;
  /** Lets so many seconds pass, for it and for whoever opens its links. */
  pass(seconds: number): Promise<void>;
  /** Opens a link as a browser would. */
  open(url: string, method?: string): Promise<Response>;
  /** False for a store that cannot tell two writers at the same moment apart. */
  isAtomic: boolean;
}

const pdf = { contentType: 'application/pdf' };
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const keyIn = ({ now }: StoreAtHand) => newFileKey({ now, id: randomUUID }, '1234567893');
const contentAt = async ({ storage }: StoreAtHand, key: string) => buffer((await storage.get(key)).content);

/** What the port promises: the same for every store, in tests and against a real one in `script/drill s3`. */
export const storagePromises: readonly [string, (store: StoreAtHand) => Promise<void>][] = [
  [
    'a file comes back as it was put, with its size, hash, type and time',
    async (store) => {
      const content = randomBytes(300_000);
      const key = keyIn(store);
      assert.match(key, /^1234567893\/\d{4}\/\d\d\/\d\d\/[0-9a-f-]{36}$/);
      const kept = await store.storage.put(key, content, pdf);
      assert.deepEqual(
        { ...kept, storedAt: null },
        { key, bytes: 300_000, sha256: sha256(content), ...pdf, storedAt: null },
      );
      assert.deepEqual(await store.storage.head(key), kept);
      const read = await store.storage.get(key);
      assert.deepEqual(read.file, kept);
      assert.deepEqual(await buffer(read.content), content);
    },
  ],
  [
    'an empty file is a file',
    async (store) => {
      const [one, other] = [keyIn(store), keyIn(store)];
      await store.storage.put(one, Buffer.alloc(0), pdf);
      await store.storage.put(other, Readable.from([]), pdf);
      for (const key of [one, other]) {
        assert.equal((await store.storage.head(key))?.bytes, 0);
        assert.equal((await contentAt(store, key)).length, 0);
      }
    },
  ],
  [
    'a stream is put piece by piece; one that breaks or is too large leaves nothing',
    async (store) => {
      const pieces = Array.from({ length: 50 }, () => randomBytes(10_000));
      const whole = Buffer.concat(pieces);
      const key = keyIn(store);
      assert.equal((await store.storage.put(key, Readable.from(pieces), pdf)).sha256, sha256(whole));
      assert.deepEqual(await contentAt(store, key), whole);
      const large = keyIn(store);
      const limit = { ...pdf, maxBytes: 100_000 };
      await assert.rejects(store.storage.put(large, Readable.from(pieces), limit), FileTooLarge);
      await assert.rejects(store.storage.put(large, whole, limit), FileTooLarge);
      const broken = keyIn(store);
      const breaks = async function* () {
        yield pieces[0];
        throw new Error('cut');
      };
      await assert.rejects(store.storage.put(broken, Readable.from(breaks()), pdf), /cut/);
      assert.deepEqual([await store.storage.head(large), await store.storage.head(broken)], [null, null]);
    },
  ],
  [
    'a large file comes back whole, and one that is read only in part holds nothing up',
    async (store) => {
      const whole = randomBytes(12_000_000);
      const key = keyIn(store);
      await store.storage.put(key, Readable.from([whole.subarray(0, 5), whole.subarray(5)]), pdf);
      for (let left = 0; left < 20; left++) (await store.storage.get(key)).content.destroy();
      const { content } = await store.storage.get(key);
      for await (const _ of content) break;
      assert.equal(sha256(await contentAt(store, key)), sha256(whole));
    },
  ],
  [
    'a key is written once',
    async (store) => {
      const key = keyIn(store);
      await store.storage.put(key, Buffer.from('first'), pdf);
      await assert.rejects(store.storage.put(key, Buffer.from('second'), pdf), FileExists);
      await assert.rejects(store.storage.put(key, Readable.from([Buffer.from('third')]), pdf), FileExists);
      assert.equal((await contentAt(store, key)).toString(), 'first');
    },
  ],
  [
    'of twenty at the same moment one wins, and it is whole',
    async (store) => {
      const key = keyIn(store);
      const contents = Array.from({ length: 20 }, () => randomBytes(50_000));
      const puts = await Promise.allSettled(contents.map((content) => store.storage.put(key, content, pdf)));
      const lost = puts.filter((put) => put.status === 'rejected' && put.reason instanceof FileExists);
      const { file, content } = await store.storage.get(key);
      const read = await buffer(content);
      assert.equal(file.sha256, sha256(read));
      const won = puts.findIndex(({ status }) => status === 'fulfilled');
      if (store.isAtomic) assert.deepEqual([lost.length, contents[won]], [19, read]);
      else assert.ok(contents.some((one) => one.equals(read)));
    },
  ],
  [
    'what is deleted is gone; deleting it again is no error',
    async (store) => {
      const key = keyIn(store);
      await store.storage.put(key, Buffer.from('x'), pdf);
      await store.storage.delete(key);
      await store.storage.delete(key);
      assert.equal(await store.storage.head(key), null);
      await assert.rejects(store.storage.get(key), FileMissing);
      const options: LinkOptions = { seconds: 60, disposition: 'inline', fileName: 'x' };
      await assert.rejects(store.storage.link(key, options), FileMissing);
    },
  ],
  [
    'a key that is none leads nowhere',
    async ({ storage }) => {
      for (const bad of strangeKeys) {
        assert.equal(isFileKey(bad), false, bad);
        assert.equal(await storage.head(bad), null);
        await assert.rejects(storage.get(bad), FileMissing);
        await assert.rejects(storage.put(bad, Buffer.from('x'), pdf), FileMissing);
        await assert.rejects(storage.link(bad, { seconds: 60, disposition: 'inline', fileName: 'x' }), FileMissing);
        await storage.delete(bad);
      }
    },
  ],
  [
    'a link opens the file for whoever has it, under its name',
    async (store) => {
      const key = keyIn(store);
      const content = randomBytes(20_000);
      await store.storage.put(key, content, pdf);
      const fileName = "2026-03-02 Zoë O'Brien Ñandú (2) + 50% & more.pdf";
      for (const disposition of ['inline', 'attachment'] as const) {
        const { url } = await store.storage.link(key, { seconds: 60, disposition, fileName });
        const answer = await store.open(url);
        assert.equal(answer.status, 200);
        assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
        assert.equal(answer.headers.get('content-type'), 'application/pdf');
        assert.equal(answer.headers.get('cache-control'), 'private, no-store');
        const named = `filename*=UTF-8''${encodeURIComponent(fileName)}`;
        const said = answer.headers.get('content-disposition') ?? '';
        assert.ok(said.startsWith(disposition) && said.endsWith(named), said);
      }
    },
  ],
  [
    'a link opens nothing else, changes nothing, and not for long',
    async (store) => {
      const [key, other] = [keyIn(store), keyIn(store)];
      await store.storage.put(key, Buffer.from('CANARY mine'), pdf);
      await store.storage.put(other, Buffer.from('CANARY other'), pdf);
      const link = await store.storage.link(key, { seconds: 2, disposition: 'inline', fileName: 'x.pdf' });
      assert.ok(link.expiresAt.getTime() - store.now().getTime() <= 2_000);
      for (const url of [
        link.url.replace(key, other),
        link.url.replace('x.pdf', 'y.pdf'),
        link.url.replace('inline', 'attachment'),
        link.url.replace(/[0-9a-f]{8}$|mac=.{8}/, (end) => (end.startsWith('mac') ? 'mac=AAAAAAAA' : '00000000')),
        link.url.split('?')[0] ?? '',
      ]) {
        assert.notEqual(url, link.url);
        await isRefused(store.open(url));
      }
      for (const method of ['PUT', 'DELETE', 'POST']) await isRefused(store.open(link.url, method));
      assert.equal(await (await store.open(link.url)).text(), 'CANARY mine');
      await store.pass(4);
      await isRefused(store.open(link.url));
    },
  ],
  [
    'a link never lasts longer than five minutes',
    async (store) => {
      const key = keyIn(store);
      await store.storage.put(key, Buffer.from('x'), pdf);
      const { expiresAt } = await store.storage.link(key, { seconds: 9_999, disposition: 'inline', fileName: 'x.pdf' });
      const lastsMs = expiresAt.getTime() - store.now().getTime();
      assert.ok(lastsMs > 290_000 && lastsMs <= 300_000, String(lastsMs));
    },
  ],
];

const strangeKeys = [
  '../secrets/session',
  'a/../../b',
  '/etc/passwd',
  'a//b',
  'a/.hidden',
  'a\\b',
  'a\0b',
  '',
  'a/',
  'é',
  'a?versionId=1',
  'a#b',
  'a%2fb',
  'x'.repeat(300),
];

async function isRefused(opened: Promise<Response>): Promise<void> {
  const answer = await opened;
  const words = await answer.text();
  const isNo = (answer.status >= 400 && answer.status < 500) || answer.status === 501;
  assert.ok(isNo, `${answer.status}`);
  assert.ok(!words.includes('CANARY'), words);
}
