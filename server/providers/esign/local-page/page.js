import SignaturePad from '/esign/assets/signature_pad.js';

const { key, ends, closed } = JSON.parse(document.getElementById('data').textContent);
const wanted = /^#(light|dark)$/.exec(location.hash)?.[1];
if (wanted) document.documentElement.dataset.scheme = wanted;

/** Tells the page around this one that something happened: it looks for itself what. */
const tell = (state) => window.parent !== window && window.parent.postMessage({ signing: state }, location.origin);

let activeAt = 0;
for (const input of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(
    input,
    (event) => {
      if (!event.isTrusted || Date.now() - activeAt < 60_000) return;
      activeAt = Date.now();
      tell('active');
    },
    { passive: true, capture: true },
  );

const at = (id) => document.getElementById(id);
if (closed) tell(closed);
else start();

function start() {
  const pad = new SignaturePad(at('pad'), { penColor: '#0d1a59' });
  const drawing = () => document.querySelector('[name=how]:checked').value === 'draw';

  const fit = () => {
    const canvas = at('pad');
    const scale = Math.max(window.devicePixelRatio || 1, 1);
    if (!canvas?.offsetWidth || canvas.width === Math.round(canvas.offsetWidth * scale)) return;
    canvas.width = Math.round(canvas.offsetWidth * scale);
    canvas.height = Math.round(canvas.offsetHeight * scale);
    canvas.getContext('2d').scale(scale, scale);
    pad.clear();
  };
  window.addEventListener('resize', fit);
  for (const choice of document.querySelectorAll('[name=how]'))
    choice.addEventListener('change', () => {
      at('typed').hidden = drawing();
      at('drawn').hidden = !drawing();
      fit();
    });
  at('name').addEventListener('input', () => (at('preview').textContent = at('name').value));
  at('clear').addEventListener('click', () => pad.clear());
  // What is put right stops being called wrong at once.
  at('name').addEventListener('input', () => wrong('name', 'name-error', false));
  at('consent').addEventListener('change', () => wrong('consent', 'consent-error', false));
  pad.addEventListener('beginStroke', () => wrong('pad', 'pad-error', false));

  /** Shows or takes away what is wrong at a field; true when something is. */
  const wrong = (field, error, isWrong) => {
    at(error).hidden = !isWrong;
    at(field).setAttribute('aria-invalid', String(isWrong));
    return isWrong;
  };

  at('form').addEventListener('submit', (event) => {
    event.preventDefault();
    const problems = [
      wrong('name', 'name-error', at('name').value.trim().length < 2) && 'name',
      wrong('pad', 'pad-error', drawing() && pad.isEmpty()) && 'clear',
      wrong('consent', 'consent-error', !at('consent').checked) && 'consent',
    ].filter(Boolean);
    if (problems.length > 0) return at(problems[0]).focus();
    void send(at('sign'), 'sign', {
      name: at('name').value.trim(),
      consent: true,
      ...(drawing() && lines(pad)),
    });
  });
  at('decline').addEventListener('click', () => void send(at('decline'), 'decline', { reason: at('reason').value }));
  at('expire')?.addEventListener('click', () => void send(at('expire'), 'expire', {}));
}

/** The drawing as fractions of its pad. */
function lines(pad) {
  const { offsetWidth: width, offsetHeight: height } = at('pad');
  const part = (value, of) => Math.round(Math.min(1, Math.max(0, value / of)) * 10_000) / 10_000;
  const strokes = pad.toData().map(({ points }) => points.map(({ x, y }) => [part(x, width), part(y, height)]));
  return { strokes, ratio: height / width };
}

async function send(button, verb, body) {
  if (button.getAttribute('aria-disabled') === 'true') return;
  const said = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  if (button.dataset.busy) button.textContent = button.dataset.busy;
  at('lost').hidden = true;
  try {
    const answer = await fetch(`/esign/page/${key}/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(String(answer.status));
    const { state } = await answer.json();
    end(state);
  } catch {
    at('lost').hidden = false;
    button.removeAttribute('aria-disabled');
    button.textContent = said;
  }
}

/** The page is over: says how, and moves the reader there. */
function end(state) {
  const isAlone = window.parent === window;
  const { title, text } = ends[state === 'done' && isAlone ? 'doneAlone' : state] ?? ends.unknown;
  const box = document.createElement('div');
  box.className = 'end';
  const heading = document.createElement('h1');
  heading.textContent = title;
  heading.tabIndex = -1;
  const words = document.createElement('p');
  words.textContent = text;
  if (state === 'done') {
    const mark = document.createElement('div');
    mark.className = 'check-mark';
    mark.textContent = '✓';
    mark.setAttribute('aria-hidden', 'true');
    box.append(mark);
  }
  box.append(heading, words);
  at('main').replaceChildren(box);
  document.title = title;
  heading.focus();
  window.scrollTo(0, 0);
  tell(state);
}
