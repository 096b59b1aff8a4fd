import { useEffect } from 'react';
import { createStore, useStore } from './store.ts';

/** Browsers allow sound only after a click or a key. */
let audio: AudioContext | undefined;
const canRing = createStore(false);

/** Enables sound; call it in the handler of a click or a key. */
export function startSound(): void {
  if (!audio) {
    const made = (audio = new AudioContext());
    made.addEventListener('statechange', () => canRing.set(made.state === 'running'));
  }
  void audio.resume();
}

/** Two soft rising notes: a patient arrived. Silent while sound is not enabled. */
export function ringArrival(): void {
  if (audio?.state !== 'running') return;
  note(audio, 659.26, 0);
  note(audio, 880, 0.16);
}

/** One low note, twice: a patient wrote. Silent while sound is not enabled. */
export function ringMessage(): void {
  if (audio?.state !== 'running') return;
  note(audio, 523.25, 0);
  note(audio, 523.25, 0.22);
}

function note(on: AudioContext, frequency: number, after: number): void {
  const start = on.currentTime + after;
  const tone = on.createOscillator();
  const volume = on.createGain();
  tone.type = 'sine';
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.22, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.7);
  tone.connect(volume).connect(on.destination);
  tone.start(start);
  tone.stop(start + 0.75);
}

/** Whether this page can play sound now. */
export const useCanRing = (): boolean => useStore(canRing);

/** For a person with sound on, enables it again on their first click or key. */
export function useSoundAfterFirstClick(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const off = new AbortController();
    const start = () => {
      startSound();
      off.abort();
    };
    // Not at the press: the note that sound is off goes away then, and what was pressed would move before the release.
    for (const gesture of ['click', 'keydown']) document.addEventListener(gesture, start, { signal: off.signal });
    return () => off.abort();
  }, [wanted]);
}
