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
}

interface Conversation {
  id: string;
  token: string;
  office: BenchOffice;
}

const officeCount = 20;
const chatsEach = 3;
/** A visitor may write 15 messages a minute. */
const messagesPerSide = 7;
const cutShare = 0.7;
const pauseMs = 20;

/**
 * Visitors on one process and desks on another write at once, through a network that cuts most connections after the request or before the
 * answer, and their live connections too. Both sides retry with the message's client id, as the pages do. At the end each message must be in
 * the database once, numbered without gaps, and each side's list, read after every reconnect, must equal the database. It takes a minute and
 * is not in the short run, whose time is spent; `server/features/website-chat/website-chat.test.ts` sends one client id twice.
 */
export async function drillChat({ cuts: leastCuts, blind }: ChatDrill): Promise<Line[]> {
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
      following.push(...sides.map((side) => follow(side, stop.signal)));
      await Promise.race([Promise.all(sides.map((side) => writeAll(side, blind))), Promise.all(following)]);
    }
    for (const cutter of cutters) cutter.calm();
    // What is on its way when the last connection is cut arrives, and each side reads once more.
    await sleep(1_000);
    await Promise.all(all.map(readNew));
    stop.abort();
    await Promise.all(following);
    return [
      ...counted(cutters),
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
async function writeAll(side: Side, blind: boolean): Promise<void> {
  const { who, conversation } = side;
  const path = who === 'visitor' ? '/visitor-chat/messages' : '/conversation/send/';
  for (let n = 0; n < messagesPerSide; n++) {
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
async function follow(side: Side, signal: AbortSignal): Promise<void> {
  const { conversation, who, cutter, headers } = side;
  const subscription =
    who === 'visitor'
      ? { visitor: conversation.token }
      : { office: conversation.office.id, token: conversation.office.token };
  const network = headers['x-forwarded-for'];
  while (!signal.aborted) {
    const client = await openLiveClient(
      cutter.url,
      subscription,
      network === undefined ? {} : { 'x-forwarded-for': network },
    ).catch(() => null);
    await readNew(side);
    while (client?.isOpen && !signal.aborted) {
      const hint = await Promise.race([client.nextHint(1_000), client.closed]);
      if (hint !== null && typeof hint === 'object') await readNew(side);
    }
    client?.close();
    await sleep(pauseMs);
  }
}

/** Reads what came after the newest message of the list. */
async function readNew(side: Side): Promise<void> {
  const { who, conversation, list } = side;
  const newest = Math.max(0, ...[...list.values()].map(({ sequence }) => sequence));
  const path = who === 'visitor' ? `/visitor-chat?after=${newest}` : `/conversation/${conversation.id}`;
  const page = (await call(side, path)) as { messages: Message[] } | null;
  for (const message of page?.messages ?? []) list.set(lineOf(message), message);
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

function counted(cutters: Cutter[]): Line[] {
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

/** Compares what each side wrote, and what each side's list shows, with the database. */
async function compare({ services }: BenchDatabase, sides: Side[], blind: boolean): Promise<Line[]> {
  let [lost, twice, gaps, differ, written] = [0, 0, 0, 0, 0];
  for (const side of sides) {
    const { conversation, confirmed, list, who } = side;
    const officeId = conversation.office.id;
    const rows = await asOffice(services.db, officeId, (tx) =>
      tx
        .selectFrom('message')
        .select(['sequence', 'body'])
        .where('officeId', '=', officeId)
        .where('conversationId', '=', conversation.id)
        .orderBy('sequence')
        .execute(),
    );
    const own = rows.filter(({ body }) => body.startsWith(`${who} `));
    const different = new Set(own.map(({ body }) => body));
    written += confirmed.length;
    lost += confirmed.filter((body) => !different.has(body)).length;
    twice += own.length - different.size;
    if (who === 'visitor') gaps += rows.filter(({ sequence }, at) => sequence !== at + 1).length;
    const shown = [...list.values()].toSorted((a, b) => a.sequence - b.sequence);
    if (shown.map(lineOf).join('\n') !== rows.map(lineOf).join('\n')) differ++;
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
      what: 'lists of a side that differ from the database',
      figure: `${differ} of ${sides.length}`,
      beside: 'visitors on one process, desks on the other',
      aim: '0',
      met: differ === 0,
    },
  ];
}
