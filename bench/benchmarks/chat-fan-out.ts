import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase, type StartedServer } from '#bench/ground/open-ground.ts';
import { ms, percentile, type Line } from '#bench/ground/report-lines.ts';
import { openChat } from '#server/features/website-chat/index.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { openLiveClient, type LiveClient } from '#testing/app/live-client.ts';

const officeCount = 20;
const chatsEach = 50;
const messages = 300;
const warmUps = 30;

interface Chat {
  id: string;
  token: string;
  /** Each visitor comes from a network of their own. */
  address: string;
  page: LiveClient;
  server: StartedServer;
  office: BenchOffice;
  /** A desk of the office at the other process. */
  desk: LiveClient;
  deskServer: StartedServer;
}

/**
 * A message of the website's chat on the other side's screen, with 1,000 open conversations of 20 offices on 2 processes: a visitor writes to
 * one process, a desk at the other one hears the hint and fetches the thread; then the desk answers, and the visitor's page fetches it.
 */
export async function chatFanOut(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const open: LiveClient[] = [];
  try {
    const chats = await openChats(ground, open);
    const toDesk: number[] = [];
    const toVisitor: number[] = [];
    let missed = 0;
    for (let n = 0; n < messages + warmUps; n++) {
      const chat = chats[(n * 37) % chats.length] as Chat;
      const question = await timeSend(() => ask(chat, `Question ${n}`));
      const answer = await timeSend(() => answerFrom(chat, `Answer ${n}`));
      missed += Number(!question.arrived) + Number(!answer.arrived);
      if (n < warmUps) continue;
      toDesk.push(question.tookMs);
      toVisitor.push(answer.tookMs);
    }
    const line = (what: string, took: number[]): Line => {
      const p99 = percentile(took, 99);
      return {
        what: `${what}, ${chats.length} open conversations, 2 processes`,
        figure: `p99 ${ms(p99)}, median ${ms(percentile(took, 50))}`,
        beside: `${messages} messages, each sent, announced and fetched by the other side`,
        aim: '≤ 60 ms',
        met: p99 <= 60,
      };
    };
    return [
      line("a visitor's message on a desk's screen", toDesk),
      line("a desk's answer on the visitor's page", toVisitor),
      { what: 'messages missed', figure: String(missed), beside: '', aim: '0', met: missed === 0 },
    ];
  } finally {
    for (const client of open) client.close();
    await ground.close();
  }
}

async function timeSend(send: () => Promise<boolean>): Promise<{ arrived: boolean; tookMs: number }> {
  const started = performance.now();
  const arrived = await send();
  return { arrived, tookMs: performance.now() - started };
}

async function openChats(ground: BenchDatabase, open: LiveClient[]): Promise<Chat[]> {
  const offices = await addOffices(ground, officeCount, 0);
  const settings = JSON.stringify({ chatEnabled: true });
  await ground.owner.updateTable('office').set({ settings }).execute();
  const servers = [
    await ground.server({ TRUST_PROXY: 'loopback' }),
    await ground.server({ TRUST_PROXY: 'loopback' }),
  ] as const;
  const chats: Chat[] = [];
  for (const [at, office] of offices.entries()) {
    const desks = await Promise.all(
      servers.map(({ url }) => openLiveClient(url, { office: office.id, token: office.token })),
    );
    open.push(...desks);
    for (let n = 0; n < chatsEach; n++) {
      const side = n % 2;
      const address = `10.${at}.0.${n + 1}`;
      const { id, token } = await startChat(ground, office);
      const server = servers[side] as StartedServer;
      const page = await openLiveClient(server.url, { visitor: token }, { 'x-forwarded-for': address });
      open.push(page);
      const [desk, deskServer] = [desks[1 - side] as LiveClient, servers[1 - side] as StartedServer];
      chats.push({ id, token, address, page, server, office, desk, deskServer });
    }
  }
  return chats;
}

async function startChat(ground: BenchDatabase, office: BenchOffice): Promise<{ id: string; token: string }> {
  const scope = officeScope(ground.services, office.id, { kind: 'patient', id: null, name: null }, 'bench');
  const { conversationId, token } = await scope.transaction((tx) => openChat(tx, scope, { name: '', language: 'en' }));
  return { id: conversationId, token };
}

/** The visitor writes; true once a desk at the other process has it. */
async function ask(chat: Chat, body: string): Promise<boolean> {
  const arrived = afterHint(chat.desk, async () => {
    const { messages } = await callAsDesk<{ messages: { body: string }[] }>(chat, `/conversation/${chat.id}`);
    return messages.at(-1)?.body === body;
  });
  await callAsVisitor(chat, '/visitor-chat/messages', { clientId: body, body });
  return arrived;
}

/** A desk answers; true once the visitor's page has it. */
async function answerFrom(chat: Chat, body: string): Promise<boolean> {
  const arrived = afterHint(chat.page, async () => {
    const { messages } = await callAsVisitor<{ messages: { body: string }[] }>(chat, '/visitor-chat?after=1');
    return messages.at(-1)?.body === body;
  });
  await callAsDesk(chat, '/conversation/send', { conversationId: chat.id, body });
  return arrived;
}

/** Whether what a screen fetches after a hint has what it waits for. An earlier hint may still be on its way. */
async function afterHint(screen: LiveClient, hasArrived: () => Promise<boolean>): Promise<boolean> {
  for (let hints = 0; hints < 5; hints++) {
    if ((await screen.nextHint()) === null) return false;
    if (await hasArrived()) return true;
  }
  return false;
}

const callAsDesk = <T>({ deskServer, office }: Chat, path: string, body?: object) =>
  callServer<T>(deskServer, path, { authorization: `Bearer ${office.token}`, 'x-office': office.id }, body);

const callAsVisitor = <T>({ server, token, address }: Chat, path: string, body?: object) =>
  callServer<T>(server, path, { authorization: `Bearer ${token}`, 'x-forwarded-for': address }, body);

async function callServer<T>(
  { url }: StartedServer,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${url}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
