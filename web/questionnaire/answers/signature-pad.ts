import { createInk, type Ink, type Point } from './signature-ink.ts';

/** A pad to sign on with finger, pen or mouse. */
export interface SignaturePad extends Pick<Ink, 'clear' | 'picture'> {
  stop(): void;
}

/** Draws what a pointer writes on the canvas. Calls `onEnd` after each stroke. */
export function signaturePad(canvas: HTMLCanvasElement, onEnd: () => void): SignaturePad {
  const { width, height } = canvas.getBoundingClientRect();
  const { begin, lineTo, clear, picture } = createInk(canvas, width, height);
  let isDown = false;

  const pointOf = (event: PointerEvent): Point => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { x: (x * width) / box.width, y: (y * height) / box.height, at: event.timeStamp };
  };
  const down = (event: PointerEvent) => {
    if (!event.isPrimary || event.button > 0) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    isDown = true;
    begin(pointOf(event));
  };
  const move = (event: PointerEvent) => {
    if (!isDown || !event.isPrimary) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length > 0 ? all : [event]) lineTo(pointOf(one));
  };
  const up = (event: PointerEvent) => {
    if (!isDown || !event.isPrimary) return;
    isDown = false;
    onEnd();
  };
  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
  const types = Object.keys(listeners) as (keyof typeof listeners)[];
  for (const type of types) canvas.addEventListener(type, listeners[type]);

  return {
    clear,
    picture,
    stop() {
      for (const type of types) canvas.removeEventListener(type, listeners[type]);
    },
  };
}
