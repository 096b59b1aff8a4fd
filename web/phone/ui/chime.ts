/** The sound and vibration of "Come in now" and of a message. A browser plays sound only after a touch on the page, so the first touch unlocks it. */
let audio: AudioContext | undefined;

/** Unlocks the sound with the next touch or key. Returns a function that stops waiting for it. */
export function unlockChime(): () => void {
  const ready = () => {
    audio ??= new AudioContext();
    void audio.resume();
  };
  document.addEventListener('pointerup', ready);
  document.addEventListener('keydown', ready);
  return () => {
    document.removeEventListener('pointerup', ready);
    document.removeEventListener('keydown', ready);
  };
}

interface Note {
  hertz: number;
  /** Seconds from the beginning. */
  at: number;
}

const callNotes: readonly Note[] = [
  { hertz: 659, at: 0 },
  { hertz: 880, at: 0.18 },
  { hertz: 659, at: 0.9 },
  { hertz: 880, at: 1.08 },
];
const messageNotes: readonly Note[] = [
  { hertz: 880, at: 0 },
  { hertz: 659, at: 0.18 },
];
const seconds = 0.5;

/** "Come in now". */
export const ringChime = () => ring(callNotes, [400, 150, 400, 150, 400]);

/** A message from the front desk. */
export const ringMessage = () => ring(messageNotes, [200]);

/** Rings and vibrates as far as the phone allows. */
function ring(notes: readonly Note[], buzzes: number[]): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(buzzes);
  if (audio?.state !== 'running') return;
  for (const { hertz, at } of notes) {
    const begins = audio.currentTime + at;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.0001, begins);
    volume.gain.exponentialRampToValueAtTime(0.4, begins + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, begins + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + seconds);
  }
}
