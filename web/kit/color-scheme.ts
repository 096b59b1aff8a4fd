import { useSyncExternalStore } from 'react';

export type Scheme = 'light' | 'dark';
export type SchemeChoice = Scheme | 'auto';

/** Also read by web/panel/app/before-paint.js. */
const storageKey = 'anteroom.scheme';
const machine = matchMedia('(prefers-color-scheme: dark)');
const watchers = new Set<() => void>();
let choice: SchemeChoice = saved();

function saved(): SchemeChoice {
  try {
    const value = localStorage.getItem(storageKey);
    return value === 'light' || value === 'dark' ? value : 'auto';
  } catch {
    return 'auto';
  }
}

function shown(): Scheme {
  if (choice !== 'auto') return choice;
  return machine.matches ? 'dark' : 'light';
}

function show(): void {
  document.documentElement.setAttribute('data-color-scheme', shown());
  for (const watcher of watchers) watcher();
}

/** Light, dark, or as the machine is set; remembered on this machine. */
export function setScheme(wanted: SchemeChoice): void {
  choice = wanted;
  try {
    if (wanted === 'auto') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, wanted);
  } catch {
    // Storage is switched off: the choice holds for this page.
  }
  show();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  machine.addEventListener('change', show);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) machine.removeEventListener('change', show);
  };
}

/** The colours on screen right now. */
export function useScheme(): Scheme {
  return useSyncExternalStore(watch, shown);
}
