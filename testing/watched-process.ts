/** A process under the watchdog that blocks its main thread for the milliseconds it is sent, and then says so. */
import { startWatchdog } from '#server/kit/watchdog.ts';

startWatchdog(1_500);
process.on('message', (blockMs: number) => {
  const until = performance.now() + blockMs;
  while (performance.now() < until);
  process.send?.('still here');
});
process.send?.('ready');
