/** The sound and vibration of "Come in now". A browser plays sound only after a touch on the page, so the first touch unlocks it. */
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

const notes = [
  { hertz: 659, at: 0 },
  { hertz: 880, at: 0.18 },
  { hertz: 659, at: 0.9 },
  { hertz: 880, at: 1.08 },
];
const seconds = 0.5;

/** Rings and vibrates as far as the phone allows. */
export function ringChime(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([400, 150, 400, 150, 400]);
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
