import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

/** The server's clock minus this machine's, in ms. Below five seconds it counts as zero, because the Date header has whole seconds. */
let offsetMs = 0;
const toleratedMs = 5_000;

/** Learns the server's time from an HTTP date or an ISO instant, so that a phone with a wrong clock still shows the right minutes. */
export function learnServerTime(date: string | null | undefined): void {
  const serverMs = date ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(serverMs)) return;
  const off = serverMs - Date.now();
  if (Math.abs(off - offsetMs) < toleratedMs) return;
  offsetMs = Math.abs(off) < toleratedMs ? 0 : off;
  tick();
}

/** The time on the server's clock, in ms since 1970. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}

const tickMs = 15_000;
const now = createStore(serverNow());
let users = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function tick(): void {
  now.set(serverNow());
}

function wind(): void {
  timer = setTimeout(
    () => {
      tick();
      wind();
    },
    tickMs - (serverNow() % tickMs),
  );
}

function onVisible(): void {
  if (document.visibilityState === 'visible') tick();
}

/** The clock ticks only while a component uses it. */
function subscribe(listener: () => void): () => void {
  if (users++ === 0) {
    tick();
    wind();
    document.addEventListener('visibilitychange', onVisible);
  }
  const unsubscribe = now.subscribe(listener);
  return () => {
    unsubscribe();
    if (--users > 0) return;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** The server's time in ms; renders again every 15 seconds, all components in the same frame. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, now.get);
}
