import { setTimeout as sleep } from 'node:timers/promises';
import { addTexts, compareLedgerWithCarrier, countOpen, sendingRate } from '#bench/drills/texts-ledger.ts';
import { openTextWorkers } from '#bench/drills/texts-workers.ts';
import { addOffices } from '#bench/ground/offices.ts';
import { inTurn } from '#bench/ground/in-turn.ts';
import { openBenchDatabase, type BenchDatabase } from '#bench/ground/open-ground.ts';
import { perSecond, ratio, type Line } from '#bench/ground/report-lines.ts';
import { usualPace } from '#server/features/texting/send-texts.ts';
import { localSms } from '#server/providers/sms/local.ts';

const texts = 4_000;
const processes = 2;
const providerMs = 5;
const ceilingTexts = 300;

/** Due texts of 20 offices sent by two processes, each with a line to a provider that takes one text in 5 ms; compared with those lines alone. */
export async function sending(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const crew = openTextWorkers(ground);
  try {
    const offices = (await addOffices(ground, 20, 1)).map(({ id }) => id);
    const ceiling = await providersRate(ground);
    await addTexts(ground, offices, { count: texts, overSeconds: 0, mark: 'sending' });
    const orders = {
      errorAfter: 0,
      timeoutAfter: 0,
      mute: 0,
      hangs: false,
      blind: false,
      giveUpAfterMs: usualPace.giveUpAfterMs,
      takesMs: providerMs,
    };
    await Promise.all(Array.from({ length: processes }, () => crew.start(orders)));
    const deadline = performance.now() + 120_000;
    while ((await countOpen(ground)) > 0 && performance.now() < deadline) await sleep(100);
    const rate = await sendingRate(ground, 'sending');
    const { twice, taken } = await compareLedgerWithCarrier(ground);
    return [
      {
        what: `texts sent, a provider that takes one in ${providerMs} ms, ${processes} processes`,
        figure: `${perSecond(rate)} = ${ratio(rate / ceiling)}`,
        beside: `the provider alone ${perSecond(ceiling)}`,
        aim: '≥ 0.80x',
        met: rate >= 0.8 * ceiling,
      },
      { what: 'sent twice', figure: `${twice} of ${taken}`, beside: '', aim: '0', met: twice === 0 && taken === texts },
    ];
  } finally {
    crew.end();
    await ground.close();
  }
}

/** Texts per second that the provider's lines take with nothing around them. The provider notes each text, as a real one does. */
async function providersRate({ services }: BenchDatabase): Promise<number> {
  const provider = localSms(services);
  const turns = Array.from({ length: processes }, () => inTurn(providerMs));
  const started = performance.now();
  await Promise.all(
    turns.flatMap((turn, number) =>
      Array.from({ length: ceilingTexts }, async (_, n) => {
        await turn();
        const to = `+1646556${String(n).padStart(4, '0')}`;
        await provider.send({ from: '+13125550001', to, body: 'alone', reference: `alone-${number}-${n}` });
      }),
    ),
  );
  return (processes * ceilingTexts) / ((performance.now() - started) / 1_000);
}
