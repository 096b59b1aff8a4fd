import { beforeEach, describe, expect, test } from 'vitest';
import { queue, secondWays, session, team } from '#contract/index.ts';
import { openBrowser, type TestBrowser } from '#testing/app/test-browser.ts';
import type { TestOffice } from '#testing/app/test-app.ts';
import { openIdleTestApp } from '#testing/app/idle-test-app.ts';

const { testApp, wait } = await openIdleTestApp();
let people = 0;

let office: TestOffice;
let desk: TestBrowser;
beforeEach(async () => {
  office = await testApp.office();
  desk = await signedInAt(office);
});

async function signedInAt(...offices: TestOffice[]): Promise<TestBrowser> {
  wait(60);
  const email = `lock${++people}@sign-in.test`;
  await testApp.addStaff({ name: 'Dana Whitlock', email }, offices);
  const browser = openBrowser(testApp);
  await browser.signIn({ email });
  return browser;
}

const setMinutes = (minutes: number, browser = desk, at = office) =>
  browser.call(secondWays.setLockMinutes, { minutes }, { 'x-office': at.id });
const readQueue = (browser = desk, at = office) => browser.call(queue.listQueue, undefined, { 'x-office': at.id });
/** Two ways to read: the queue's one statement in the database, and the look-up of every other call. */
async function isOpen(browser = desk, at = office): Promise<boolean> {
  const hot = await readQueue(browser, at);
  const other = await browser.call(team.listTeam, undefined, { 'x-office': at.id });
  const { gate } = await browser.session({ 'x-office': at.id });
  expect([other.status, gate.because === 'locked']).toEqual([hot.status, hot.status === 401]);
  if (hot.status === 401) expect([hot.body.code, other.body.code]).toEqual(['session_locked', 'session_locked']);
  return hot.status === 200;
}

describe('the minutes until the panel locks', () => {
  test.each([5, 30])('the panel locks after %i minutes without input, and no sooner', async (minutes) => {
    const saved = await setMinutes(minutes);
    expect(saved.body.office?.lockMinutes).toBe(minutes);
    const { body } = await desk.call(session.stayActive);
    expect(body.locksAt).toBe(new Date(testApp.now().getTime() + minutes * 60_000).toISOString());
    expect((await desk.session()).locksAt).toBe(body.locksAt);
    wait(minutes * 60 - 1);
    expect(await isOpen()).toBe(true);
    wait(1);
    expect(await isOpen()).toBe(false);
    const late = await desk.call(session.stayActive);
    expect(late.body.code).toBe('session_locked');
  });

  test.each([4, 31, 7.5, -5])('the setting cannot be %d minutes', async (minutes) => {
    const refused = await setMinutes(minutes);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_input']);
    expect((await desk.call(secondWays.readSecurity)).body.office?.lockMinutes).toBe(15);
  });

  test('the default is 15 minutes', async () => {
    wait(15 * 60 - 1);
    expect(await isOpen()).toBe(true);
    wait(1);
    expect(await isOpen()).toBe(false);
  });

  test('each change writes one audit entry', async () => {
    await setMinutes(5);
    await setMinutes(5);
    const changes = (await testApp.auditEntries(office)).filter(({ action }) => action === 'settings.change');
    expect(changes).toMatchObject([{ subject: 'security', details: { changed: 'lockMinutes', minutes: 5 } }]);
  });

  test('a change requires a recent proof of identity', async () => {
    wait(11 * 60);
    const refused = await setMinutes(30);
    expect(refused.body.code).toBe('proof_needed');
    expect((await desk.call(secondWays.readSecurity)).body.office?.lockMinutes).toBe(15);
  });

  test('another office’s setting does not affect a person who does not work there', async () => {
    const other = await testApp.office();
    const theirs = await signedInAt(other);
    await setMinutes(5, theirs, other);
    expect((await setMinutes(30, theirs, office)).body.code).toBe('office_not_found');
    await desk.call(session.stayActive);
    wait(14 * 60);
    expect(await isOpen()).toBe(true);
    expect((await desk.call(secondWays.readSecurity)).body.office?.lockMinutes).toBe(15);
  });

  test('a person with several offices gets the shortest of their settings in all of them', async () => {
    const second = await testApp.office();
    const both = await signedInAt(office, second);
    await setMinutes(30, both, office);
    await setMinutes(5, both, second);
    await both.call(session.stayActive);
    wait(5 * 60 - 1);
    expect(await isOpen(both, office)).toBe(true);
    wait(1);
    expect(await isOpen(both, office)).toBe(false);
    expect(await isOpen(both, second)).toBe(false);
  });

  test('shortening the time locks a colleague’s idle panel at once', async () => {
    const colleague = await signedInAt(office);
    wait(6 * 60);
    await setMinutes(5);
    expect(await isOpen(colleague)).toBe(false);
  });

  test('lengthening the time never unlocks a locked panel', async () => {
    await setMinutes(5);
    const colleague = await signedInAt(office);
    await desk.call(session.stayActive);
    wait(4 * 60);
    await desk.call(session.stayActive);
    wait(60);
    expect(await isOpen(colleague)).toBe(false);
    await setMinutes(30);
    expect(await isOpen(colleague)).toBe(false);
    expect(await isOpen(desk)).toBe(true);
  });

  test('leaving the office with the shortest time never unlocks a locked panel', async () => {
    const second = await testApp.office();
    const both = await signedInAt(office, second);
    await setMinutes(5);
    await both.call(session.stayActive);
    await desk.call(session.stayActive);
    wait(4 * 60);
    await desk.call(session.stayActive);
    wait(60);
    const { body } = await desk.call(team.listTeam);
    const person = body.colleagues.find(({ isYou }) => !isYou);
    const removed = await desk.call(team.removeColleague, undefined, {}, { personId: person?.id ?? '' });
    expect(removed.status).toBe(200);
    expect(await isOpen(both, second)).toBe(false);
  });

  test('a program’s token does not lock', async () => {
    await setMinutes(5);
    wait(10 * 60);
    expect((await testApp.call(queue.listQueue, { query: {} }, { as: office })).status).toBe(200);
  });

  test('the device list shows which device is locked', async () => {
    const email = `lock${people}@sign-in.test`;
    const laptop = openBrowser(testApp);
    wait(60);
    await laptop.signIn({ email });
    await desk.call(session.stayActive);
    await setMinutes(5);
    wait(4 * 60);
    await desk.call(session.stayActive);
    wait(60);
    const { body } = await desk.call(session.listDevices);
    expect(body.devices.map(({ current, locked }) => [current, locked])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('after two parallel changes one is in force and both are in the audit log', async () => {
    const answers = await Promise.all([setMinutes(10), setMinutes(20)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const changes = (await testApp.auditEntries(office)).filter(({ action }) => action === 'settings.change');
    expect(changes).toHaveLength(2);
    const kept = (await desk.call(secondWays.readSecurity)).body.office?.lockMinutes;
    expect(changes.at(-1)?.details).toMatchObject({ minutes: kept });
  });
});
