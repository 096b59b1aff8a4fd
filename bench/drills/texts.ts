import { setTimeout as pause } from 'node:timers/promises';
import { usualPace } from '#server/features/texting/send-texts.ts';
import { kill, killWorkers, openTextWorkers, type TextWorkers } from './texts-workers.ts';
import {
  addTexts,
  countMarked,
  countOpen,
  compareLedgerWithCarrier,
  postponeWaitingTexts,
  lastTakenAt,
  lateness,
} from './texts-ledger.ts';
import { openTextingDesks } from './texts-desks.ts';
import type { WorkerOrders } from './texts-worker.ts';
import { percentile, type Line } from '#bench/ground/report-lines.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { checkMoneyLedger } from './money-ledger.ts';

export interface TextsDrill {
  texts: number;
  kills: number;
  /** Workers resend without a look-up: then the drill must find duplicates. */
  blind: boolean;
}

const probes = 20;
const scheduled = 300;
const aims = { takeOverMs: 30_000, lateP99Ms: 5_000 };
const settleWithinMs = 120_000;
const mostDeskRounds = 60;

/**
 * Real workers on a real database, killed with -9 while they send, against the local carrier: not idempotent, answering 500 or nothing
 * after accepting a text, and unable to look some up. Then two workers that die holding claims, and texts for exact times. Afterwards the
 * ledger is compared with what the carrier accepted.
 */
export async function drillTexts({ texts, kills, blind }: TextsDrill): Promise<Line[]> {
  const faulty: WorkerOrders = {
    errorAfter: 0.08,
    timeoutAfter: 0.04,
    mute: 0.02,
    hangs: false,
    blind,
    giveUpAfterMs: usualPace.leaseMs - 5_000,
  };
  const calm: WorkerOrders = { ...faulty, errorAfter: 0, timeoutAfter: 0 };
  const ground = await openBenchDatabase();
  const crew = openTextWorkers(ground);
  try {
    const practices = await addOffices(ground, 20, 1);
    const offices = practices.map(({ id }) => id);
    const desks = await openTextingDesks(ground, practices);
    const everyNth = Math.max(5, Math.ceil(kills / mostDeskRounds));
    let round = 0;
    const portions = Array.from(
      { length: kills },
      (_, n) => Math.floor((texts * (n + 1)) / kills) - Math.floor((texts * n) / kills),
    );
    const { caught, gapsMs } = await killWorkers(ground, crew, kills, faulty, async () => {
      await addTexts(ground, offices, { count: portions.pop() ?? 0, overSeconds: 0.5, mark: 'among kills' });
      if (round++ % everyNth === 0) await desks.text(round);
    });

    const died = await dieWithClaims(ground, crew, offices, calm);
    await Promise.all([crew.start(calm), crew.start(calm)]);
    await addTexts(ground, offices, { count: scheduled, overSeconds: 10, inSeconds: 1, mark: 'on time' });
    await waitUntilSettled(ground);

    const found = await compareLedgerWithCarrier(ground);
    const { accepted, written } = await desks.count();
    await desks.close();
    const ofTexts = `of ${(texts + probes + scheduled + accepted).toLocaleString('en')} texts`;
    const story: Line[] = [
      figure('workers killed with -9', kills, `${caught} with texts in hand, ${spread(gapsMs)} apart`),
      figure('taken by the carrier', found.taken, `${found.retried} claimed a second time, after it was asked`),
    ];
    if (blind)
      return [...story, check('sent twice, when sent again blindly', found.twice, ofTexts, 'some', found.twice > 0)];
    const takenOverMs = (await lastTakenAt(ground, 'probe')).getTime() - died;
    const late = await lateness(ground, 'on time');
    return [
      ...story,
      check(
        'texts of lists, scheduled ones and answers that the API accepted and the ledger does not have once',
        Math.abs(accepted - written),
        `of ${accepted}, each call made twice`,
        '0',
        accepted === written,
      ),
      check('sent twice', found.twice, ofTexts, '0', found.twice === 0),
      check('lost', found.lost, ofTexts, '0', found.lost === 0),
      check('neither sent nor shown in the end', found.open, ofTexts, '0', found.open === 0),
      figure('unknown, shown and not sent again', found.unknown, `the carrier had ${found.unknownTaken} of them`),
      check(
        'texts of a dead worker sent by another after',
        `${(takenOverMs / 1_000).toFixed(1)} s`,
        `${probes} texts`,
        `at most ${aims.takeOverMs / 1_000} s`,
        takenOverMs <= aims.takeOverMs,
      ),
      check('sent early', late.early, ofTexts, '0', late.early === 0),
      check(
        'sent late, p99',
        `${Math.round(late.p99)} ms`,
        `p50 ${Math.round(late.p50)} ms, ${scheduled} texts over 10 s`,
        `at most ${aims.lateP99Ms / 1_000} s`,
        late.p99 <= aims.lateP99Ms,
      ),
      await checkMoneyLedger(ground.owner, { mayBeEmpty: true }),
    ];
  } finally {
    crew.end();
    await ground.close();
  }
}

const spread = (gapsMs: number[]) => `${Math.round(percentile(gapsMs, 1))} to ${Math.round(percentile(gapsMs, 99))} ms`;
const check = (what: string, value: number | string, beside: string, aim: string, met: boolean): Line => ({
  what,
  figure: value.toLocaleString('en'),
  beside,
  aim,
  met,
});
const figure = (what: string, value: number | string, beside: string): Line => ({
  ...check(what, value, beside, '', true),
  met: null,
});

/** Two workers claim texts, never reach the carrier and are killed; returns when. */
async function dieWithClaims(
  ground: BenchDatabase,
  crew: TextWorkers,
  offices: string[],
  orders: WorkerOrders,
): Promise<number> {
  const victims = await Promise.all([1, 2].map(() => crew.hire({ ...orders, hangs: true })));
  await postponeWaitingTexts(ground, 5);
  await addTexts(ground, offices, { count: probes, overSeconds: 0, mark: 'probe' });
  for (const victim of victims) victim.send('go');
  const deadline = performance.now() + 20_000;
  while ((await countMarked(ground, 'probe', ['sending'])) < probes) {
    if (performance.now() > deadline) throw new Error('the workers that were to die claimed nothing');
    await pause(20);
  }
  await Promise.all(victims.map(kill));
  return Date.now();
}

/** Waits until nothing is queued or in flight; what is left after that counts as lost. */
async function waitUntilSettled(ground: BenchDatabase): Promise<void> {
  const deadline = performance.now() + settleWithinMs;
  while ((await countOpen(ground)) > 0 && performance.now() < deadline) await pause(250);
}
