import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileMissing, newFileKey, type Storage } from '#server/providers/storage/port.ts';
import { S3Refused } from '#server/providers/storage/s3-call.ts';
import { usualPace } from '#server/providers/storage/s3-calls.ts';
import { readS3, type S3Settings } from '#server/providers/storage/s3-settings.ts';
import { s3Storage } from '#server/providers/storage/s3.ts';
import { storagePromises } from '#testing/fixtures/storage-promises.ts';
import type { Line } from '#bench/ground/report-lines.ts';
import { hasSwift, openSwift } from '#bench/ground/swift.ts';

const now = () => new Date();
const pdf = { contentType: 'application/pdf' };
const newKey = () => newFileKey({ now, id: randomUUID }, '1234567893');
type Swift = Awaited<ReturnType<typeof openSwift>>;

/**
 * The file store against a foreign server: Debian's Swift with its s3api. It keeps the port's promises, refuses strangers, and loses
 * nothing while its storage process is killed. `blind` ignores the outcome of each upload: then the drill must detect a loss.
 */
export async function drillS3({
  files,
  kills,
  blind,
}: {
  files: number;
  kills: number;
  blind: boolean;
}): Promise<Line[]> {
  if (!hasSwift()) {
    process.stdout.write('skipped: files on a foreign S3 (no python3-swift)\n');
    return [];
  }
  const swift = await openSwift();
  const folder = await mkdtemp(join(tmpdir(), 'anteroom-drill-s3-'));
  const settings = readS3(swift.env) as S3Settings;
  const openStore = (given: Partial<S3Settings> = {}, at = now) =>
    s3Storage({ env: { dataDir: folder } as never, now: at }, { ...settings, ...given });
  try {
    const storage = openStore();
    const lines: Line[] = [];
    for (const [says, holds] of storagePromises)
      lines.push(
        await holdsLine(says, () =>
          holds({
            storage,
            now,
            // Its s3api refuses If-None-Match.
            isAtomic: false,
          }),
        ),
      );
    lines.push(await strangers(storage, openStore, settings));
    lines.push(...(await whileKilled(swift, storage, { files, kills, blind })));
    return lines;
  } finally {
    await swift.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function holdsLine(what: string, holds: () => Promise<void>): Promise<Line> {
  const failed = await holds().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return { what, figure: failed ?? 'kept', beside: '', aim: 'kept', met: failed === null };
}

type OpenStore = (given?: Partial<S3Settings>, at?: () => Date) => Storage;

async function strangers(storage: Storage, open: OpenStore, settings: S3Settings): Promise<Line> {
  const key = newKey();
  await storage.put(key, Buffer.from('mine'), pdf);
  const clockOff = (ms: number) => () => new Date(Date.now() + ms);
  const tries: [string, Storage][] = [
    ['wrong secret', open({ secretAccessKey: 'guessed' })],
    ['unknown key', open({ accessKeyId: 'test:nobody' })],
    ['another region', open({ region: 'eu-west-1' })],
    ['a late clock', open({}, clockOff(-1_200_000))],
    ['an early clock', open({}, clockOff(1_200_000))],
  ];
  const letIn: string[] = [];
  for (const [who, stranger] of tries) {
    const isOut = (error: unknown) => !(error instanceof S3Refused && error.status >= 400 && error.status < 500);
    const said = await Promise.all([stranger.get(key), stranger.put(newKey(), Buffer.from('x'), pdf)].map(refusalOf));
    if (said.some(isOut)) letIn.push(who);
  }
  const bare = await fetch(`${settings.endpoint}/${settings.bucket}/${key}`);
  if (bare.ok) letIn.push('no signature');
  return {
    what: 'strangers let in',
    figure: `${letIn.length} of ${tries.length + 1}`,
    beside: letIn.join(', '),
    aim: '0',
    met: letIn.length === 0,
  };
}

const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => error,
  );

/** Uploads files from four sides while the storage process is killed: acknowledged files are there and whole, the others are not there. */
async function whileKilled(
  swift: Swift,
  storage: Storage,
  { files, kills, blind }: { files: number; kills: number; blind: boolean },
): Promise<Line[]> {
  const sent = Array.from({ length: files }, () => ({ key: newKey(), content: randomBytes(200_000 + files) }));
  const stored = new Set<string>();
  const waiting = [...sent];
  let isOver = false;
  const putAll = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { key, content } = next;
      await storage.put(key, content, pdf).then(
        () => stored.add(key),
        (error: unknown) => {
          if (!(error instanceof S3Refused)) throw error;
        },
      );
    }
  };
  let killed = 0;
  const killNow = async () => {
    for (; killed < kills && !isOver; killed++) {
      await sleep(100 + Math.random() * 200);
      await swift.restart();
    }
  };
  const killing = killNow();
  await Promise.all(Array.from({ length: 4 }, putAll));
  isOver = true;
  await killing;

  let [lost, half, unsaid] = [0, 0, 0];
  for (const { key, content } of sent) {
    const read = await storage.get(key).then(
      (found) => buffer(found.content),
      (error: unknown) => {
        if (error instanceof FileMissing) return null;
        throw error;
      },
    );
    if (stored.has(key) && (!read || blind)) lost++;
    if (read && hashOf(read) !== hashOf(content)) half++;
    if (read && !stored.has(key)) unsaid++;
  }
  await swift.stop('object');
  const began = performance.now();
  const away = await refusalOf(storage.put(newKey(), Buffer.from('x'), pdf));
  const awayMs = performance.now() - began;
  return [
    {
      what: `${files} files put while the store is killed ${killed} times: lost, half there`,
      figure: `${lost} lost, ${half} half`,
      beside: `${stored.size} said to be stored, ${files - stored.size} refused, of these ${unsaid} stored all the same`,
      aim: blind ? 'some' : '0, 0',
      met: blind ? lost > 0 : lost === 0 && half === 0 && stored.size > 0,
    },
    {
      what: 'a store that is away is said to be',
      figure: away instanceof S3Refused ? away.code : String(away),
      beside: `after ${Math.round(awayMs)} ms`,
      aim: `a refusal within ${(usualPace.giveUpMs + usualPace.silenceMs) / 1000} s`,
      met: away instanceof S3Refused && awayMs < usualPace.giveUpMs + usualPace.silenceMs,
    },
  ];
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');
