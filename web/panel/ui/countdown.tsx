import { useEffect, useState } from 'react';
import { serverNow } from '#web/kit/clock.ts';

/** Whole seconds until an instant by the server's clock, never below zero. Rerenders each second. */
export function useSecondsLeft(until: string | number): number {
  const at = new Date(until).getTime();
  const [seconds, setSeconds] = useState(() => secondsLeft(at));
  useEffect(() => {
    const count = () => setSeconds(secondsLeft(at));
    const timer = setInterval(count, 250);
    count();
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}

const secondsLeft = (at: number) => Math.max(0, Math.ceil((at - serverNow()) / 1000));

/** Seconds as mm:ss. */
export function formatCountdown(seconds: number): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`;
}

/** mm:ss until an instant. */
export function Countdown({ until }: { until: string | number }) {
  return <bdi dir="ltr">{formatCountdown(useSecondsLeft(until))}</bdi>;
}
