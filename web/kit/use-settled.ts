import { useDeferredValue, useEffect, useState } from 'react';

const settledAfterMs = 250;

/** A text once nobody has typed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settledAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return useDeferredValue(settled);
}
