import { addOffices, type BenchOffice } from '#bench/ground/offices.ts';
import { openBenchDatabase, type StartedServer } from '#bench/ground/open-ground.ts';
import { ms, percentile, type Line } from '#bench/ground/report-lines.ts';
import { receiveReply } from '#server/features/texting/index.ts';
import { openLiveClient, type LiveClient } from '#testing/app/live-client.ts';

const officeCount = 200;
const panelsEach = 5;
const messages = 300;

/**
 * A patient's text, from the carrier's call to the thread on another desk's screen, with 1,000 open panels of 200 offices on 2 processes:
 * the text is saved by one process, a panel of the other hears the hint and fetches the thread.
 */
export async function messageFanOut(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  const panels: LiveClient[] = [];
  try {
    const offices = await addOffices(ground, officeCount, 0);
    const servers = [await ground.server(), await ground.server()];
    for (const office of offices)
      panels.push(
        ...(await Promise.all(Array.from({ length: panelsEach }, (_, n) => openPanel(office, servers[n % 2])))),
      );

    const took: number[] = [];
    let missed = 0;
    for (let n = 0; n < messages + 30; n++) {
      const at = (n * 37) % officeCount;
      const office = offices[at] as BenchOffice;
      // The second panel of an office is on the second server; the text is saved by this process.
      const desk = panels[at * panelsEach + 1] as LiveClient;
      const heard = desk.nextHint();
      const body = `Message ${n}`;
      const started = performance.now();
      const from = `+1646555${String(at).padStart(4, '0')}`;
      const to = `+1312555${String(at).padStart(4, '0')}`;
      await receiveReply(ground.services, { providerId: `bench-${n}`, from, to, body }, 'bench');
      if ((await heard) === null) missed++;
      else if ((await newestOf(servers[1] as StartedServer, office)) !== body) missed++;
      // The first ones warm up the connections.
      if (n >= 30) took.push(performance.now() - started);
    }
    const p99 = percentile(took, 99);
    return [
      {
        what: `a patient's text on another desk's screen, ${panels.length} open panels, 2 processes`,
        figure: `p99 ${ms(p99)}, median ${ms(percentile(took, 50))}`,
        beside: `${messages} texts, each saved, announced and fetched again`,
        aim: '≤ 60 ms',
        met: p99 <= 60,
      },
      { what: 'messages missed', figure: String(missed), beside: '', aim: '0', met: missed === 0 },
    ];
  } finally {
    for (const panel of panels) panel.close();
    await ground.close();
  }
}

const openPanel = (office: BenchOffice, server: StartedServer | undefined) =>
  openLiveClient(server?.url ?? '', { office: office.id, token: office.token });

/** The newest message in the inbox, as the desk's screen fetches it. */
async function newestOf(server: StartedServer, office: BenchOffice): Promise<string | undefined> {
  const answer = await fetch(`${server.url}/api/inbox?filter=unanswered`, {
    headers: { authorization: `Bearer ${office.token}`, 'x-office': office.id },
  });
  const { conversations } = (await answer.json()) as { conversations: { lastBody: string }[] };
  return conversations[0]?.lastBody;
}
