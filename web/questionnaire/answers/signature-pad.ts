/** A pad to sign on with finger, pen or mouse. Ink is drawn thinner the faster it goes, as a pen does. */
export interface SignaturePad {
  clear(): void;
  /** The signature as a PNG, cut to its ink; null when there is none. */
  picture(): Promise<Blob | null>;
  stop(): void;
}

interface Point {
  x: number;
  y: number;
  at: number;
}

/** Signs in black on nothing: the canvas shows it in the colour of the page's ink by its own background. */
export function signaturePad(canvas: HTMLCanvasElement, onEnd: () => void): SignaturePad {
  const ink = canvas.getContext('2d');
  const density = Math.max(1, Math.min(3, window.devicePixelRatio));
  const { width, height } = canvas.getBoundingClientRect();
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  ink?.scale(density, density);
  let last: Point | null = null;
  let middle: { x: number; y: number } | null = null;
  let thickness = 2.4;
  let inked = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };

  const pointOf = (event: PointerEvent): Point => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { x: (x * width) / box.width, y: (y * height) / box.height, at: event.timeStamp };
  };
  const reach = ({ x, y }: Point) => {
    inked = {
      left: Math.min(inked.left, x),
      top: Math.min(inked.top, y),
      right: Math.max(inked.right, x),
      bottom: Math.max(inked.bottom, y),
    };
  };
  const dot = ({ x, y }: Point) => {
    ink?.beginPath();
    ink?.arc(x, y, 1.4, 0, 2 * Math.PI);
    ink?.fill();
  };
  const lineTo = (point: Point) => {
    if (!last || !ink) return;
    const to = { x: (last.x + point.x) / 2, y: (last.y + point.y) / 2 };
    const speed = Math.hypot(point.x - last.x, point.y - last.y) / Math.max(1, point.at - last.at);
    thickness = thickness * 0.7 + Math.max(1.2, 3.2 - speed) * 0.3;
    ink.lineWidth = thickness;
    ink.lineCap = 'round';
    ink.beginPath();
    ink.moveTo(middle?.x ?? last.x, middle?.y ?? last.y);
    ink.quadraticCurveTo(last.x, last.y, to.x, to.y);
    ink.stroke();
    middle = to;
    last = point;
    reach(point);
  };

  const down = (event: PointerEvent) => {
    if (!event.isPrimary || event.button > 0) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    last = pointOf(event);
    middle = null;
    reach(last);
    dot(last);
  };
  const move = (event: PointerEvent) => {
    if (!last || !event.isPrimary) return;
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length > 0 ? all : [event]) lineTo(pointOf(one));
  };
  const up = (event: PointerEvent) => {
    if (!last || !event.isPrimary) return;
    last = null;
    onEnd();
  };
  canvas.addEventListener('pointerdown', down);
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);

  return {
    clear() {
      ink?.clearRect(0, 0, width, height);
      inked = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    },
    picture() {
      const edge = 8;
      const { left, top, right, bottom } = inked;
      if (left > right) return Promise.resolve(null);
      const cut = document.createElement('canvas');
      const [x, y] = [Math.max(0, left - edge), Math.max(0, top - edge)];
      cut.width = Math.ceil((Math.min(width, right + edge) - x) * density);
      cut.height = Math.ceil((Math.min(height, bottom + edge) - y) * density);
      const page = cut.getContext('2d');
      if (page) {
        page.fillStyle = '#fff';
        page.fillRect(0, 0, cut.width, cut.height);
        page.drawImage(canvas, -x * density, -y * density);
      }
      return new Promise((resolve) => cut.toBlob(resolve, 'image/png'));
    },
    stop() {
      canvas.removeEventListener('pointerdown', down);
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerup', up);
      canvas.removeEventListener('pointercancel', up);
    },
  };
}
