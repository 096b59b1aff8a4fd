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
  type Storage,
} from '#server/providers/storage/port.ts';

/** A file store to be held to its promises. */
export interface StoreAtHand {
  storage: Storage;
  now(): Date;
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
    'the list holds the key of every file that is there, once, and of no other',
    async (store) => {
      const keys = Array.from({ length: 7 }, () => keyIn(store));
      await Promise.all(keys.map((key) => store.storage.put(key, Buffer.from(key), pdf)));
      const [deleted = '', ...left] = keys;
      await store.storage.delete(deleted);
      const listed: string[] = [];
      for await (const key of store.storage.list()) listed.push(key);
      const ours = listed.filter((key) => keys.includes(key));
      assert.deepEqual(ours.sort(), left.sort());
      assert.ok(listed.every(isFileKey));
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
        await storage.delete(bad);
      }
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
