export interface Point {
  x: number;
  y: number;
  /** Milliseconds. */
  at: number;
}

export interface Ink {
  /** Puts the pen down. */
  begin(point: Point): void;
  /** Draws a line to that point. */
  lineTo(point: Point): void;
  clear(): void;
  /** The ink's picture, cut to where it is; null if there is none. */
  picture(): Promise<Blob | null>;
}

const noBounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
/** White around the ink in its picture. */
const margin = 8;

/** Draws in black on a transparent canvas, in CSS pixels. The faster a line, the thinner it is, as with a pen. */
export function createInk(canvas: HTMLCanvasElement, width: number, height: number): Ink {
  const context = canvas.getContext('2d');
  const density = Math.max(1, Math.min(3, window.devicePixelRatio));
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  context?.scale(density, density);
  let last: Point | null = null;
  let middle: { x: number; y: number } | null = null;
  let thickness = 2.4;
  let bounds = noBounds;

  const extendBounds = ({ x, y }: Point) => {
    bounds = {
      left: Math.min(bounds.left, x),
      top: Math.min(bounds.top, y),
      right: Math.max(bounds.right, x),
      bottom: Math.max(bounds.bottom, y),
    };
  };

  return {
    begin(point) {
      last = point;
      middle = null;
      extendBounds(point);
      context?.beginPath();
      context?.arc(point.x, point.y, 1.4, 0, 2 * Math.PI);
      context?.fill();
    },
    lineTo(point) {
      if (!last || !context) return;
      const to = { x: (last.x + point.x) / 2, y: (last.y + point.y) / 2 };
      const speed = Math.hypot(point.x - last.x, point.y - last.y) / Math.max(1, point.at - last.at);
      thickness = thickness * 0.7 + Math.max(1.2, 3.2 - speed) * 0.3;
      context.lineWidth = thickness;
      context.lineCap = 'round';
      context.beginPath();
      context.moveTo(middle?.x ?? last.x, middle?.y ?? last.y);
      context.quadraticCurveTo(last.x, last.y, to.x, to.y);
      context.stroke();
      middle = to;
      last = point;
      extendBounds(point);
    },
    clear() {
      context?.clearRect(0, 0, width, height);
      bounds = noBounds;
    },
    picture() {
      const { left, top, right, bottom } = bounds;
      if (left > right) return Promise.resolve(null);
      const cut = document.createElement('canvas');
      const [x, y] = [Math.max(0, left - margin), Math.max(0, top - margin)];
      cut.width = Math.ceil((Math.min(width, right + margin) - x) * density);
      cut.height = Math.ceil((Math.min(height, bottom + margin) - y) * density);
      const page = cut.getContext('2d');
      if (page) {
        page.fillStyle = '#fff';
        page.fillRect(0, 0, cut.width, cut.height);
        page.drawImage(canvas, -x * density, -y * density);
      }
      return new Promise((resolve) => cut.toBlob(resolve, 'image/png'));
    },
  };
}
