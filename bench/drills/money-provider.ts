import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { Services } from '#server/context.ts';
import { freePort } from '#bench/ground/open-ground.ts';
import { localCard } from '#server/providers/card/local.ts';
import { CardRefused } from '#server/providers/card/port.ts';
import { localCharges } from '#server/providers/charges/local.ts';
import { ChargeRefused } from '#server/providers/charges/port.ts';
import { localPracticeSoftware } from '#server/providers/practice-software/local.ts';
import { RecordingRefused } from '#server/providers/practice-software/port.ts';
import type { ProviderAnswer } from './money-provider-calls.ts';

export interface Trouble {
  /** Share of calls that never reach the provider, and of those that it executes and answers to nobody. */
  lostBefore: number;
  lostAfter: number;
  /** The longest it takes before and after a call is executed. */
  slowMs: number;
}

export const noTrouble: Trouble = { lostBefore: 0, lostAfter: 0, slowMs: 0 };

/**
 * The local card provider, charges provider and practice software behind HTTP, in the drill's own process: a call that has arrived is
 * executed, also after its caller was killed.
 */
export async function openMoneyProvider(services: Services) {
  const [card, charges, practiceSoftware] = [
    localCard(services),
    localCharges(services),
    localPracticeSoftware(services),
  ];
  const methods = new Map<string, (body: Buffer) => Promise<unknown>>([
    ['/card/createCustomer', (body) => card.createCustomer(deserialize(body))],
    ['/card/readCustomer', (body) => card.readCustomer(deserialize(body))],
    ['/card/start', (body) => card.start(deserialize(body))],
    ['/card/upgrade', (body) => card.upgrade(deserialize(body))],
    ['/card/changeAtPeriodEnd', (body) => card.changeAtPeriodEnd(deserialize(body))],
    ['/card/cancel', (body) => card.cancel(deserialize(body))],
    ['/card/reactivate', (body) => card.reactivate(deserialize(body))],
    ['/card/previewUpgrade', (body) => card.previewUpgrade(deserialize(body))],
    ['/card/saveCard', (body) => card.saveCard(deserialize(body))],
    ['/charges/charge', (body) => charges.charge(deserialize(body))],
    ['/charges/reverse', (body) => charges.reverse(deserialize(body))],
    ['/charges/read', (body) => charges.read(deserialize(body))],
    ['/charges/find', (body) => charges.find(deserialize(body))],
    ['/practice-software/record', (body) => practiceSoftware.record(deserialize(body))],
  ]);
  let trouble = noTrouble;
  const count = { calls: 0, lost: 0, orphaned: 0 };

  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const method = methods.get(req.url ?? '');
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const luck = Math.random();
    count.calls++;
    if (!method || luck < trouble.lostBefore) {
      count.lost++;
      return void res.destroy();
    }
    await pause(Math.random() * trouble.slowMs);
    const outcome = await answerOf(() => method(Buffer.concat(chunks)));
    await pause(Math.random() * trouble.slowMs);
    if (res.closed) count.orphaned++;
    if (luck < trouble.lostBefore + trouble.lostAfter) {
      count.lost++;
      return void res.destroy();
    }
    res.end(serialize(outcome));
  };
  const server = createServer((req, res) => void answer(req, res).catch(() => res.destroy()));
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    count,
    setTrouble: (next: Trouble) => void (trouble = next),
    close: () => void server.close(),
  };
}

async function answerOf(call: () => Promise<unknown>): Promise<ProviderAnswer<unknown>> {
  try {
    return { result: await call() };
  } catch (error) {
    if (error instanceof CardRefused) return { refused: 'card', reason: error.reason };
    if (error instanceof ChargeRefused)
      return { refused: 'charge', reason: error.reason, isDeclined: error.isDeclined };
    if (error instanceof RecordingRefused) return { refused: 'recording', reason: error.problem };
    throw error;
  }
}
