import { useSyncExternalStore, type ReactNode } from 'react';
import type { Tone } from './status-badge.tsx';

export interface Toast {
  title: ReactNode;
  text?: ReactNode;
  tone?: Tone;
  /** How long it stays while nobody points at it; 5 by default. */
  seconds?: number;
  /** One thing to do about it, such as Undo. Whatever it does must also be possible elsewhere. */
  action?: { label: ReactNode; run: () => void };
}

const atMost = 3;
let shown: readonly (Toast & { id: number })[] = [];
let lastId = 0;
const watchers = new Set<() => void>();

function show(next: typeof shown): void {
  shown = next;
  for (const watcher of watchers) watcher();
}

/** Shows a toast and returns its id. A fourth one pushes the oldest out. */
export function toast(given: Toast): number {
  lastId += 1;
  show([...shown, { ...given, id: lastId }].slice(-atMost));
  return lastId;
}

/** Takes a toast away before its time. */
export function dismissToast(id: number): void {
  show(shown.filter((one) => one.id !== id));
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useToasts = () => useSyncExternalStore(watch, () => shown);
