import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

export type ColorScheme = 'light' | 'dark';
export type SchemeChoice = ColorScheme | 'auto';

/** Also read by web/panel/app/before-paint.js. */
const storageKey = 'anteroom.scheme';
const machine = matchMedia('(prefers-color-scheme: dark)');
const choice = createStore<SchemeChoice>(savedChoice());
let users = 0;

function savedChoice(): SchemeChoice {
  try {
    const value = localStorage.getItem(storageKey);
    return value === 'light' || value === 'dark' ? value : 'auto';
  } catch {
    return 'auto';
  }
}

function shownScheme(): ColorScheme {
  const chosen = choice.get();
  if (chosen !== 'auto') return chosen;
  return machine.matches ? 'dark' : 'light';
}

function apply(next: SchemeChoice): void {
  choice.set(next);
  document.documentElement.setAttribute('data-color-scheme', shownScheme());
}

const applyMachine = () => apply(choice.get());

/** Light, dark, or the system's setting; stored on this machine. */
export function setScheme(wanted: SchemeChoice): void {
  try {
    if (wanted === 'auto') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, wanted);
  } catch {
    // Storage is disabled: the choice applies to this page only.
  }
  apply(wanted);
}

function subscribe(listener: () => void): () => void {
  const unsubscribe = choice.subscribe(listener);
  if (users++ === 0) machine.addEventListener('change', applyMachine);
  return () => {
    unsubscribe();
    if (--users === 0) machine.removeEventListener('change', applyMachine);
  };
}

/** The color scheme on screen. */
export function useScheme(): ColorScheme {
  return useSyncExternalStore(subscribe, shownScheme);
}
