import { afterEach, expect, test, vi } from 'vitest';
import { readyMessage } from '#contract/live.ts';
import { hintsArrive, joinOffice } from './live.ts';

afterEach(() => vi.unstubAllGlobals());

test('hints arrive from the time the connection is open until it is lost or left: only without them screens poll', () => {
  const sockets: WebSocket[] = [];
  vi.stubGlobal('location', { origin: 'http://localhost' });
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor() {
        sockets.push(this as unknown as WebSocket);
      }
      close() {}
    },
  );
  const accept = () =>
    sockets.at(-1)?.onmessage?.({ data: JSON.stringify({ type: readyMessage }) } as MessageEvent<string>);

  const leave = joinOffice('1234567893');
  expect(hintsArrive.get()).toBe(false);
  accept();
  expect(hintsArrive.get()).toBe(true);
  sockets.at(-1)?.onclose?.({ code: 1006 } as CloseEvent);
  expect(hintsArrive.get()).toBe(false);
  leave();

  const leaveAgain = joinOffice('1234567893');
  accept();
  leaveAgain();
  expect(hintsArrive.get()).toBe(false);
});
