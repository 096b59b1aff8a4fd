import { createECDH, randomBytes } from 'node:crypto';
import { Agent } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import webpush from 'web-push';
import { push, session, smsCheckin, team } from '#contract/index.ts';
import type { Services } from '#server/context.ts';
import { PushRefused, type Push, type PushMessage } from '#server/providers/push/port.ts';
import { webPush } from '#server/providers/push/web-push.ts';
import { openTestApp, type TestApp, type TestOffice } from '#testing/app/test-app.ts';
import { patientTexts } from '#testing/fixtures/texts.ts';
import { openPushSink } from '#testing/stand-ins/push-sink.ts';
import { sendDuePushes } from './jobs.ts';

let t: TestApp;
beforeAll(async () => void (t = await openTestApp()));
afterAll(() => t.close());

let desk: TestOffice;
beforeEach(async () => void (desk = await t.office()));

let browsers = 0;
function browser(word = 'browser') {
  const ours = createECDH('prime256v1');
  ours.generateKeys();
  return {
    endpoint: `https://push.anteroom.test/${word}/${++browsers}`,
    keys: { p256dh: ours.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') },
  };
}
const subscribe = (body = browser(), as: TestOffice | { token: string } = desk) =>
  t.call(push.subscribePush, { body }, { as });
const mine = async (as: TestOffice = desk) => (await t.call(push.readPush, {}, { as })).body.subscriptions;
const pushesTo = (endpoint: string) =>
  t.services.db.selectFrom('dev.outbox').selectAll().where('recipient', '=', endpoint).execute();
const rowOf = (id: string) =>
  t.inOffice(desk, (tx) => tx.selectFrom('pushSubscription').selectAll().where('id', '=', id).executeTakeFirst());
const with_ = (provider: Partial<Push>): Services => ({
  ...t.services,
  providers: { ...t.services.providers, push: { ...t.services.providers.push, ...provider } },
});

describe('a browser that wants to hear of arrivals', () => {
  test('a push tells that a patient is waiting and at which practice, and nothing about the patient', async () => {
    const wish = browser();
    await subscribe(wish);
    await t.visit({ office: desk, firstName: 'CANARY', lastName: 'Unheard' });
    await sendDuePushes(t.services);
    const pushes = await pushesTo(wish.endpoint);
    expect(pushes).toMatchObject([{ channel: 'push', body: 'New patient waiting\nMaple Street Pediatrics' }]);
    await sendDuePushes(t.services);
    expect(await pushesTo(wish.endpoint)).toHaveLength(1);
    expect(await mine()).toMatchObject([{ lastSentAt: t.now().toISOString() }]);
  });

  test('a push about a patient’s text quotes nothing of it and leads to the inbox', async () => {
    const wish = browser();
    await subscribe(wish);
    const notes: PushMessage[] = [];
    const services = with_({ send: async (_to, note) => void notes.push(note) });
    await patientTexts(t, '+16465550177', 'CANARY it hurts', { office: desk });
    await sendDuePushes(services);
    expect(notes).toMatchObject([
      {
        title: 'New message from a patient',
        body: 'Maple Street Pediatrics',
        path: `/dashboard/messages?office=${desk.id}`,
        topic: 'messages',
      },
    ]);
    expect(JSON.stringify(notes)).not.toContain('CANARY');
  });

  test('many texts within half a minute are two pushes, and none is forgotten', async () => {
    await subscribe();
    let sent = 0;
    const services = with_({ send: async () => void sent++ });
    for (let i = 0; i < 5; i++) {
      await patientTexts(t, `+1646555018${i}`, 'Hello', { office: desk });
      await sendDuePushes(services);
    }
    expect(sent).toBe(1);
    t.later(0.5);
    await sendDuePushes(services);
    expect(sent).toBe(2);
    t.later(5);
    await sendDuePushes(services);
    expect(sent).toBe(2);
  });

  test('an arrival is pushed at once, also while a push about a message waits', async () => {
    await subscribe();
    const titles: string[] = [];
    const services = with_({ send: async (_to, { title }) => void titles.push(title) });
    await patientTexts(t, '+16465550177', 'Hello', { office: desk });
    await sendDuePushes(services);
    await patientTexts(t, '+16465550178', 'Hello', { office: desk });
    await t.visit({ office: desk });
    await sendDuePushes(services);
    expect(titles).toEqual(['New message from a patient', 'New patient waiting, and a new message']);
    await t.visit({ office: desk });
    await sendDuePushes(services);
    expect(titles.at(-1)).toBe('New patient waiting');
  });

  test('STOP and another office’s texts make no push', async () => {
    const wish = browser();
    await subscribe(wish);
    await patientTexts(t, '+16465550177', 'STOP', { office: desk });
    await patientTexts(t, '+16465550177', 'Hello', { office: t.other });
    await sendDuePushes(t.services);
    expect(await pushesTo(wish.endpoint)).toEqual([]);
  });

  test('a push is in the language of the panel that subscribed', async () => {
    const wish = browser();
    await t.call(push.subscribePush, { body: wish }, { as: desk, headers: { 'accept-language': 'es' } });
    await t.visit({ office: desk });
    await sendDuePushes(t.services);
    expect((await pushesTo(wish.endpoint))[0]?.body).toContain('Nuevo paciente en espera');
  });

  test('no push is sent about expected patients or another office’s patients', async () => {
    const wish = browser();
    await subscribe(wish);
    await t.call(smsCheckin.addCheckin, { body: { phone: '+12025550150' } }, { as: desk });
    await t.visit({ office: t.other });
    await sendDuePushes(t.services);
    expect(await pushesTo(wish.endpoint)).toEqual([]);
  });

  test('subscribing the same browser twice makes one subscription; beyond ten the oldest is dropped', async () => {
    const wish = browser();
    await Promise.all([subscribe(wish), subscribe(wish)]);
    expect(await mine()).toHaveLength(1);
    for (let i = 0; i < 12; i++) {
      t.later(1);
      await subscribe();
    }
    expect(await mine()).toHaveLength(10);
  });

  test('a subscription belongs to its caller: colleagues and other offices cannot see, end or test it', async () => {
    const { body } = await subscribe();
    const colleague = await t.addStaff({ name: 'Luis', email: `luis-${desk.npi}@maple.test` }, [desk]);
    const luis = { ...desk, token: await t.signIn(colleague), personId: colleague };
    const params = { subscriptionId: body.id };
    for (const as of [luis, t.other]) {
      expect(await mine(as)).toEqual([]);
      expect((await t.call(push.unsubscribePush, { params }, { as })).body).toEqual({ unsubscribed: false });
      expect((await t.call(push.tryPush, { params }, { as })).status).toBe(404);
    }
    expect(await mine()).toHaveLength(1);
  });

  test('a test push is sent at once, and unsubscribing stops all pushes', async () => {
    const wish = browser();
    const { body } = await subscribe(wish);
    const params = { subscriptionId: body.id };
    expect((await t.call(push.tryPush, { params }, { as: desk })).body).toEqual({ due: true });
    await sendDuePushes(t.services);
    expect(await pushesTo(wish.endpoint)).toHaveLength(1);
    expect((await t.call(push.unsubscribePush, { params }, { as: desk })).body).toEqual({ unsubscribed: true });
    await t.visit({ office: desk });
    await sendDuePushes(t.services);
    expect(await pushesTo(wish.endpoint)).toHaveLength(1);
  });

  test('subscribing is refused for an unknown push service or invalid keys', async () => {
    const { keys } = browser();
    expect((await subscribe({ endpoint: 'http://push.anteroom.test/1', keys })).body.code).toBe('push_service_unknown');
    const short = { ...browser(), keys: { ...keys, auth: 'short' } };
    expect((await subscribe(short)).body.code).toBe('push_service_unknown');
  });

  test('pushes stop after signing out, and after removal from the office', async () => {
    const email = `sam-${desk.npi}@maple.test`;
    const personId = await t.addStaff({ name: 'Sam', email }, [desk]);
    const sam = { ...desk, token: await t.signIn(personId), personId };
    await subscribe(browser(), sam);
    expect(await mine(sam)).toHaveLength(1);
    await t.call(session.signOut, {}, { as: sam });
    const again = { ...sam, token: await t.signIn(personId) };
    expect(await mine(again)).toEqual([]);
    const { body } = await subscribe(browser(), again);
    await t.call(team.removeColleague, { params: { personId } }, { as: desk });
    expect(await rowOf(body.id)).toBeUndefined();
  });
});

describe('a push service', () => {
  test('a push service that reports the browser gone ends the subscription', async () => {
    await subscribe(browser('gone'));
    await t.visit({ office: desk });
    await sendDuePushes(t.services);
    expect(await mine()).toEqual([]);
  });

  test('a push service that answers 429 is not called again before Retry-After, even if patients arrive', async () => {
    const wish = browser('busy');
    const { body } = await subscribe(wish);
    await t.visit({ office: desk });
    const said: string[] = [];
    const services = with_({
      async send({ endpoint }) {
        said.push(endpoint);
        if (said.length === 1) throw new PushRefused('slow-down', 120);
      },
    });
    await sendDuePushes(services);
    t.later(1.9);
    await t.visit({ office: desk });
    await sendDuePushes(services);
    expect(said).toHaveLength(1);
    t.later(0.2);
    await sendDuePushes(services);
    expect(said).toHaveLength(2);
    expect(await rowOf(body.id)).toMatchObject({ dueAt: null, retryAt: null, tries: 0 });
  });

  test('an unreachable push service is retried with growing pauses, until the arrival is old', async () => {
    const { body } = await subscribe(browser('broken'));
    await t.visit({ office: desk });
    const waits: number[] = [];
    for (let i = 0; i < 3; i++) {
      await sendDuePushes(t.services);
      const { retryAt } = (await rowOf(body.id))!;
      waits.push((retryAt!.getTime() - t.now().getTime()) / 1000);
      t.later(waits.at(-1)! / 60);
    }
    expect(waits).toEqual([2, 4, 8]);
    t.later(16);
    await sendDuePushes(t.services);
    expect(await rowOf(body.id)).toMatchObject({ dueAt: null, lastSentAt: null });
  });

  test('a permanently refused push is not retried', async () => {
    const { body } = await subscribe();
    await t.visit({ office: desk });
    await sendDuePushes(with_({ send: () => Promise.reject(new PushRefused('refused')) }));
    expect(await rowOf(body.id)).toMatchObject({ dueAt: null });
    expect(await mine()).toHaveLength(1);
  });

  test('two processes send a due push only once', async () => {
    await subscribe();
    await t.visit({ office: desk });
    let sent = 0;
    const services = with_({ send: async () => void sent++ });
    await Promise.all([sendDuePushes(services), sendDuePushes(services), sendDuePushes(services)]);
    expect(sent).toBe(1);
  });

  test('an arrival during a running push makes another push due', async () => {
    await subscribe();
    await t.visit({ office: desk });
    let sent = 0;
    const services = with_({
      async send() {
        if (++sent === 1) {
          t.later(0.1);
          await t.visit({ office: desk });
        }
      },
    });
    await sendDuePushes(services);
    await sendDuePushes(services);
    expect(sent).toBe(2);
  });

  test('over a real connection the note arrives encrypted, and a 410 ends the subscription', async () => {
    const sink = await openPushSink();
    const vapid = { subject: 'mailto:operator@clinic.test', ...webpush.generateVAPIDKeys() };
    const services = with_(webPush(vapid, [], { agent: new Agent({ ca: sink.ca }), mayReach: () => true }));
    const { endpoint, ...keys } = sink.subscribe();
    await subscribe({ endpoint, keys });
    await t.visit({ office: desk });
    await sendDuePushes(services);
    expect(sink.received.map(({ note }) => note)).toEqual([
      { title: 'New patient waiting', body: 'Maple Street Pediatrics', path: `/dashboard?office=${desk.id}` },
    ]);
    sink.answer = 410;
    await t.visit({ office: desk });
    await sendDuePushes(services);
    expect(await mine()).toEqual([]);
    await sink.close();
  });
});
