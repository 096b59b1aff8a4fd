import { deserialize, serialize } from 'node:v8';
import type { Services } from '#server/context.ts';
import { localCard } from '#server/providers/card/local.ts';
import { CardRefused, type Card, type CardReason } from '#server/providers/card/port.ts';
import { localCharges } from '#server/providers/charges/local.ts';
import { ChargeRefused, ChargesUnavailable, type Charges } from '#server/providers/charges/port.ts';
import { localPracticeSoftware } from '#server/providers/practice-software/local.ts';
import { RecordingRefused, RecordingUnknown, type PracticeSoftware } from '#server/providers/practice-software/port.ts';

/** The providers of the money drill as its servers see them: the local ones, in another process that a kill of a server does not reach. */

/** What a call came to: a result, or a definite refusal. */
export type ProviderAnswer<Result> =
  | { result: Result }
  | { refused: 'card'; reason: CardReason }
  | { refused: 'charge'; reason: string; isDeclined: boolean }
  | { refused: 'recording'; reason: string };

/** The path part of our callback routes. */
export const drillProvider = 'drill';

/** Shorter than an operation's lease by the drill's clock. */
const callMs = 2_000;

type Remote = <Input, Result>(method: string) => (input: Input) => Promise<Result>;

/** Calls over HTTP. Whatever is no answer throws `noAnswer()`, as the adapters of real providers do. */
function remoteAt(url: string, noAnswer: () => Error): Remote {
  return <Input, Result>(method: string) =>
    async (input: Input): Promise<Result> => {
      let answer: ProviderAnswer<Result>;
      try {
        const signal = AbortSignal.timeout(callMs);
        const response = await fetch(`${url}/${method}`, { method: 'POST', body: serialize(input), signal });
        if (!response.ok) throw new Error(`the provider answered ${response.status}`);
        answer = deserialize(Buffer.from(await response.arrayBuffer()));
      } catch {
        throw noAnswer();
      }
      if ('result' in answer) return answer.result;
      if (answer.refused === 'card') throw new CardRefused(answer.reason);
      throw answer.refused === 'charge'
        ? new ChargeRefused(answer.reason, answer.isDeclined)
        : new RecordingRefused(answer.reason);
    };
}

/** `forgetful` takes a new operation id for each call, to prove that the drill sees what is charged twice. */
export function remoteProviders(
  services: Services,
  { url, forgetful }: { url: string; forgetful: boolean },
): Pick<Services['providers'], 'card' | 'charges' | 'practiceSoftware'> {
  return {
    card: remoteCard(services, {
      change: remoteAt(`${url}/card`, () => new Error('no answer')),
      // A look that got no answer changed nothing.
      read: remoteAt(`${url}/card`, () => new CardRefused('unreachable')),
    }),
    charges: remoteCharges(
      services,
      remoteAt(`${url}/charges`, () => new ChargesUnavailable()),
      (reference) => (forgetful ? `${reference}#${services.id()}` : reference),
    ),
    practiceSoftware: remotePracticeSoftware(
      services,
      remoteAt(`${url}/practice-software`, () => new RecordingUnknown()),
    ),
  };
}

function remoteCard(services: Services, { change, read }: { change: Remote; read: Remote }): Card {
  return {
    ...localCard(services),
    name: drillProvider,
    cardPage: null,
    createCustomer: change('createCustomer'),
    readCustomer: read('readCustomer'),
    start: change('start'),
    upgrade: change('upgrade'),
    changeAtPeriodEnd: change('changeAtPeriodEnd'),
    cancel: change('cancel'),
    reactivate: change('reactivate'),
    previewUpgrade: read('previewUpgrade'),
    saveCard: change('saveCard'),
  };
}

function remoteCharges(services: Services, remote: Remote, named: (reference: string) => string): Charges {
  type Order<Call extends 'charge' | 'reverse'> = Omit<Parameters<Charges[Call]>[0], 'signal' | 'saveSource'>;
  const charge: (order: Order<'charge'>) => ReturnType<Charges['charge']> = remote('charge');
  const reverse: (order: Order<'reverse'>) => ReturnType<Charges['reverse']> = remote('reverse');
  return {
    ...localCharges(services),
    name: drillProvider,
    charge: ({ signal: _, saveSource: _saveSource, reference, ...order }) =>
      charge({ ...order, reference: named(reference) }),
    reverse: ({ signal: _, reference, ...order }) => reverse({ ...order, reference: named(reference) }),
    find: remote('find'),
    read: remote('read'),
  };
}

function remotePracticeSoftware(services: Services, remote: Remote): PracticeSoftware {
  type Call = PracticeSoftware['record'];
  const record: (payment: Omit<Parameters<Call>[0], 'signal'>) => ReturnType<Call> = remote('record');
  return {
    ...localPracticeSoftware(services),
    name: drillProvider,
    record: ({ signal: _, ...payment }) => record(payment),
  };
}
