import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openChat } from '#server/features/website-chat/index.ts';
import { asOffice } from '#server/kit/db/db.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import type { Line } from '#bench/ground/report-lines.ts';
import { openCutter, type Cutter } from './chat-cutter.ts';
import { checkMoneyLedger } from './money-ledger.ts';

interface ChatDrill {
  /** With three conversations each, in each round. */
  offices: number;
  /** Of each side. A visitor may send 15 in a minute, and each cut is another. */
  messages: number;
  /** Connections with a message that are cut at least. */
  cuts: number;
  /** Retries use a new client id: then the drill must find duplicates. */
  blind: boolean;
}

interface Message {
  sequence: number;
  body: string;
}
const lineOf = ({ sequence, body }: Message) => `${sequence} ${body}`;

/** One side of a conversation: writes through a bad network, and keeps the list that its screen shows. */
interface Side {
  conversation: Conversation;
  who: 'visitor' | 'desk';
  cutter: Cutter;
  headers: Record<string, string>;
  /** The bodies that the server has confirmed. */
  confirmed: string[];
  /** What its screen shows, by its line. */
  list: Map<string, Message>;
  /** How often it connected again, and how often its list then missed what the database had before. */
  reconnects: number;
  stale: number;
}

interface Conversation {
  id: string;
  token: string;
  office: BenchOffice;
}

const chatsEach = 3;
const cutShare = 0.7;
const pauseMs = 20;

/**
 * Visitors on one process and desks on another write at once, through a network that cuts most connections after the request or before the
 * answer, and their live connections too. Both sides retry with the message's client id, as the pages do, and read after each hint and each
 * reconnect, and at no other time. After every reconnect what a side shows must be all that the database had before its read. At the end, each
 * message must be in the database once, numbered without gaps, and each side's list must become the database's by itself: nobody reads for it.
 * The sides are programs of this drill: the widget's own follower keeps one chat a process, and needs a page.
 */
export async function drillChat({
  offices: officeCount,
  messages,
  cuts: leastCuts,
  blind,
}: ChatDrill): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const servers = [
    await ground.server({ TRUST_PROXY: 'loopback' }),
    await ground.server({ TRUST_PROXY: 'loopback' }),
  ] as const;
  const cutters = await Promise.all(servers.map(({ url }) => openCutter(url, cutShare)));
  const stop = new AbortController();
  try {
    const offices = await addOffices(ground, officeCount, 0);
    await ground.owner
      .updateTable('office')
      .set({ settings: JSON.stringify({ chatEnabled: true }) })
      .execute();
    const all: Side[] = [];
    const following: Promise<void>[] = [];
    const cutCount = () =>
      cutters
        .map((cutter) => cutter.cuts())
        .reduce((sum, { afterRequest, beforeAnswer }) => sum + afterRequest + beforeAnswer, 0);
    for (let round = 0; cutCount() < leastCuts; round++) {
      if (round === 10) throw new Error('ten rounds of conversations were not cut often enough');
      const sides = await openSides(ground, offices, cutters as [Cutter, Cutter], round);
      all.push(...sides);
      following.push(...sides.map((side) => follow(ground, side, stop.signal)));
      await Promise.race([
        Promise.all(sides.map((side) => writeAll(side, { messages, blind }))),
        Promise.all(following),
      ]);
    }
    for (const cutter of cutters) cutter.calm();
    // Whoever was cut last reconnects, and hints that are on their way arrive.
    for (let tries = 0; tries < 50 && (await staleSides(ground, all)) > 0; tries++) await sleep(100);
    stop.abort();
    await Promise.all(following);
    return [
      ...countLines(cutters),
      ...(await compare(ground, all, blind)),
      await checkMoneyLedger(ground.owner, { mayBeEmpty: true }),
    ];
  } finally {
    stop.abort();
    for (const cutter of cutters) cutter.close();
    await ground.close();
  }
}

/** Conversations of this round: the visitor is on one process, the desk on the other. */
async function openSides(
  ground: BenchDatabase,
  offices: BenchOffice[],
  cutters: [Cutter, Cutter],
  round: number,
): Promise<Side[]> {
  const sides: Side[] = [];
  for (const [at, office] of offices.entries())
    for (let n = 0; n < chatsEach; n++) {
      const scope = officeScope(ground.services, office.id, { kind: 'patient', id: null, name: null }, 'drill');
      const { conversationId: id, token } = await scope.transaction((tx) =>
        openChat(tx, scope, { name: '', language: 'en' }),
      );
      const conversation = { id, token, office };
      const turn = (at + n) % 2;
      const side = (who: Side['who'], cutter: Cutter | undefined, headers: Record<string, string>): Side => ({
        conversation,
        who,
        cutter: cutter as Cutter,
        headers,
        confirmed: [],
        list: new Map(),
        reconnects: 0,
        stale: 0,
      });
      sides.push(
        side('visitor', cutters[turn], {
          authorization: `Bearer ${token}`,
          'x-forwarded-for': `10.${at}.${round}.${n + 1}`,
        }),
        side('desk', cutters[1 - turn], { authorization: `Bearer ${office.token}`, 'x-office': office.id }),
      );
    }
  return sides;
}

/** Writes one message after the other. Whatever has no answer is sent again with its client id. */
async function writeAll(side: Side, { messages, blind }: Pick<ChatDrill, 'messages' | 'blind'>): Promise<void> {
  const { who, conversation } = side;
  const path = who === 'visitor' ? '/visitor-chat/messages' : '/conversation/send/';
  for (let n = 0; n < messages; n++) {
    const body = `${who} ${n} of ${conversation.id}`;
    let clientId = crypto.randomUUID();
    for (;;) {
      const sent = await call(side, path, { conversationId: conversation.id, body, clientId });
      if (sent !== null) break;
      if (blind) clientId = crypto.randomUUID();
      await sleep(pauseMs);
    }
    side.confirmed.push(body);
  }
}

/** Stays connected as a page does: reads what is new after each hint, and after each reconnect. */
async function follow(ground: BenchDatabase, side: Side, signal: AbortSignal): Promise<void> {
  const { conversation, who, cutter, headers } = side;
  const subscription =
    who === 'visitor'
      ? { visitor: conversation.token }
      : { office: conversation.office.id, token: conversation.office.token };
  const network = headers['x-forwarded-for'];
  for (let connects = 0; !signal.aborted; connects++) {
    const client = await openLiveClient(
      cutter.url,
      subscription,
      network === undefined ? {} : { 'x-forwarded-for': network },
    ).catch(() => null);
    if (client) {
      const before = connects === 0 ? [] : await rowsOf(ground, side.conversation);
      await readUntilAnswered(side, signal);
      if (connects > 0 && !signal.aborted) {
        side.reconnects++;
        if (before.some((row) => !side.list.has(lineOf(row)))) side.stale++;
      }
    }
    // A hint that comes during a read is followed by another read, as in the pages.
    for (let hintsRead = 0; client?.isOpen && !signal.aborted;) {
      if (client.hints.length === hintsRead) await Promise.race([client.nextHint(1_000), client.closed]);
      if (client.hints.length === hintsRead) continue;
      hintsRead = client.hints.length;
      await readUntilAnswered(side, signal);
    }
    client?.close();
    await sleep(pauseMs);
  }
}

/** A read without an answer is tried again, as the pages do. */
async function readUntilAnswered(side: Side, signal: AbortSignal): Promise<void> {
  while (!(await readNew(side)) && !signal.aborted) await sleep(pauseMs);
}

/** Reads what came after the newest message of the list; false without an answer. */
async function readNew(side: Side): Promise<boolean> {
  const { who, conversation, list } = side;
  const newest = Math.max(0, ...[...list.values()].map(({ sequence }) => sequence));
  const path = who === 'visitor' ? `/visitor-chat?after=${newest}` : `/conversation/${conversation.id}`;
  const page = (await call(side, path)) as { messages: Message[] } | null;
  for (const message of page?.messages ?? []) list.set(lineOf(message), message);
  return page !== null;
}

/** The answer's body; null if the connection was cut. One connection a call. */
function call({ cutter, headers }: Side, path: string, body?: object): Promise<unknown> {
  const sent = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const req = request(`${cutter.url}/api${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      agent: false,
      headers: {
        ...headers,
        ...(sent !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
      },
    });
    req.on('error', () => resolve(null));
    req.on('response', (res) => {
      let text = '';
      res.on('data', (part: Buffer) => (text += part.toString()));
      res.on('error', () => resolve(null));
      res.on('end', () => {
        const isFine = res.statusCode === 200;
        const isBusy = res.statusCode === 503 || res.statusCode === 429;
        if (isFine) resolve(JSON.parse(text));
        else if (isBusy) resolve(null);
        else reject(new Error(`${path} answered ${res.statusCode}: ${text}`));
      });
    });
    req.end(sent);
  });
}

function countLines(cutters: Cutter[]): Line[] {
  const counts = cutters.map((cutter) => cutter.cuts());
  const sum = (of: keyof ReturnType<Cutter['cuts']>) => counts.reduce((total, count) => total + count[of], 0);
  const [after, before] = [sum('afterRequest'), sum('beforeAnswer')];
  return [
    {
      what: 'connections with a message that were cut',
      figure: (after + before).toLocaleString('en'),
      beside: `${after} after the request, ${before} before the answer; and ${sum('sockets')} live connections`,
      aim: '',
      met: null,
    },
  ];
}

/** A conversation as the database has it. */
function rowsOf({ services }: BenchDatabase, { id, office }: Conversation): Promise<Message[]> {
  return asOffice(services.db, office.id, (tx) =>
    tx
      .selectFrom('message')
      .select(['sequence', 'body'])
      .where('officeId', '=', office.id)
      .where('conversationId', '=', id)
      .orderBy('sequence')
      .execute(),
  );
}

const isEqual = ({ list }: Side, rows: Message[]) =>
  [...list.values()]
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(lineOf)
    .join('\n') === rows.map(lineOf).join('\n');

/** How many lists differ from the database. */
async function staleSides(ground: BenchDatabase, sides: Side[]): Promise<number> {
  let stale = 0;
  for (const side of sides) if (!isEqual(side, await rowsOf(ground, side.conversation))) stale++;
  return stale;
}

/** Compares what each side wrote, and what each side's list shows, with the database. */
async function compare(ground: BenchDatabase, sides: Side[], blind: boolean): Promise<Line[]> {
  let [lost, twice, gaps, differ, written, reconnects, stale] = [0, 0, 0, 0, 0, 0, 0];
  for (const side of sides) {
    const { conversation, confirmed, who } = side;
    const rows = await rowsOf(ground, conversation);
    const own = rows.filter(({ body }) => body.startsWith(`${who} `));
    const different = new Set(own.map(({ body }) => body));
    written += confirmed.length;
    lost += confirmed.filter((body) => !different.has(body)).length;
    twice += own.length - different.size;
    if (who === 'visitor') gaps += rows.filter(({ sequence }, at) => sequence !== at + 1).length;
    if (!isEqual(side, rows)) differ++;
    reconnects += side.reconnects;
    stale += side.stale;
  }
  const ofMessages = `of ${written.toLocaleString('en')} messages in ${sides.length / 2} conversations`;
  const duplicates: Line = blind
    ? {
        what: 'written twice, with a new id for each try',
        figure: String(twice),
        beside: ofMessages,
        aim: 'some',
        met: twice > 0,
      }
    : { what: 'written twice', figure: String(twice), beside: ofMessages, aim: '0', met: twice === 0 };
  return [
    { what: 'messages lost', figure: String(lost), beside: ofMessages, aim: '0', met: lost === 0 },
    duplicates,
    { what: 'gaps in the order of a conversation', figure: String(gaps), beside: '', aim: '0', met: gaps === 0 },
    {
      what: 'lists that miss, after a reconnect, what the database had before',
      figure: String(stale),
      beside: `${reconnects.toLocaleString('en')} reconnects`,
      aim: '0 of some',
      met: stale === 0 && reconnects > 0,
    },
    {
      what: 'lists of a side that differ from the database in the end, without a read for it',
      figure: `${differ} of ${sides.length}`,
      beside: 'visitors on one process, desks on the other',
      aim: '0',
      met: differ === 0,
    },
  ];
}
