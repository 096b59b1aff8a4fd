// The page around this one says "tokenize"; it gets a token, or that something is wrong. It never gets the card's number.
const at = (id) => document.getElementById(id);
const wanted = /^#(light|dark)$/.exec(location.hash)?.[1];
if (wanted) document.documentElement.dataset.scheme = wanted;

const tell = (message) => window.parent !== window && window.parent.postMessage({ card: message }, location.origin);
new ResizeObserver(() => tell({ kind: 'height', height: document.documentElement.offsetHeight })).observe(
  document.body,
);

const fields = ['number', 'expiry', 'cvc'];
const texts = JSON.parse(at('texts').textContent);

function show(wrong, isUnknown) {
  for (const field of fields) {
    const isWrong = wrong.includes(field);
    at(field).setAttribute('aria-invalid', String(isWrong));
    at(`${field}-error`).hidden = !isWrong;
  }
  at('number-error').textContent = isUnknown ? texts.unknown : texts.number;
  if (wrong.length > 0) at(wrong[0]).focus();
}

for (const field of fields)
  at(field).addEventListener('input', () => {
    at(field).setAttribute('aria-invalid', 'false');
    at(`${field}-error`).hidden = true;
  });

async function tokenize() {
  at('lost').hidden = true;
  try {
    const answer = await fetch('/card/tokens', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(fields.map((field) => [field, at(field).value]))),
    });
    if (!answer.ok) throw new Error('refused');
    const { token, wrong, isUnknown, needsConfirmation } = await answer.json();
    show(wrong ?? [], isUnknown);
    if (!token) return tell({ kind: 'wrong' });
    if (needsConfirmation && !(await confirmed())) return tell({ kind: 'refused' });
    tell({ kind: 'token', token });
  } catch {
    at('lost').hidden = false;
    tell({ kind: 'wrong' });
  }
}

/** Asks the cardholder, as a bank does. */
function confirmed() {
  at('card').hidden = true;
  at('confirm').hidden = false;
  at('yes').focus();
  return new Promise((resolve) => {
    const answer = (isConfirmed) => () => {
      at('card').hidden = false;
      at('confirm').hidden = true;
      resolve(isConfirmed);
    };
    at('yes').onclick = answer(true);
    at('no').onclick = answer(false);
  });
}

addEventListener('message', (event) => {
  if (event.origin === location.origin && event.source === window.parent && event.data?.card === 'tokenize')
    void tokenize();
});
// Enter in a field sends the form of the page around.
at('card').addEventListener('submit', (event) => {
  event.preventDefault();
  tell({ kind: 'submit' });
});
tell({ kind: 'ready' });
