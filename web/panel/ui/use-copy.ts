import { useEffect, useState } from 'react';

const copiedForMs = 2_000;

/** Copies a text. `copied` is true for two seconds afterwards; `onRefused` is called if the browser does not allow it. */
export function useCopy(text: string, onRefused: () => void) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), copiedForMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // No permission, or no clipboard on plain http.
      onRefused();
    }
  };
  return { copied, copy: () => void copy() };
}
