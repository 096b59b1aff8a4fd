// The page around this one says "tokenize"; it gets a token, or that something is wrong. The fields are Stripe's frames, which no page of ours can read.
const at = (id) => document.getElementById(id);
const wanted = /^#(light|dark)$/.exec(location.hash)?.[1];
if (wanted) document.documentElement.dataset.scheme = wanted;

const tell = (message) => window.parent !== window && window.parent.postMessage({ card: message }, location.origin);
new ResizeObserver(() => tell({ kind: 'height', height: document.documentElement.offsetHeight })).observe(
  document.body,
);

const { publishableKey, language } = JSON.parse(at('data').textContent);
const fields = { number: 'cardNumber', expiry: 'cardExpiry', cvc: 'cardCvc' };
/** Null if Stripe's script did not come: then no card can be entered. */
const stripe = window.Stripe ? window.Stripe(publishableKey, { locale: language }) : null;
const elements = stripe?.elements({ locale: language });

function show(field, isWrong) {
  at(field).classList.toggle('wrong', isWrong);
  at(`${field}-error`).hidden = !isWrong;
}

/** Stripe's frames do not see our style. */
function fieldStyle() {
  const { color, fontFamily } = getComputedStyle(document.body);
  const { color: muted } = getComputedStyle(at('number'));
  return { base: { color, fontFamily, fontSize: '16px', '::placeholder': { color: muted } } };
}

/** Before its fields have loaded, Stripe makes no token: the page around this one waits with what was pressed. */
const loading = new Set(stripe ? Object.keys(fields) : []);
function loaded(field) {
  loading.delete(field);
  if (loading.size === 0) tell({ kind: 'ready' });
}

const mounted = elements
  ? Object.entries(fields).map(([id, kind]) => {
      const element = elements.create(kind, { style: fieldStyle() });
      element.on('ready', () => loaded(id));
      element.mount(`#${id}`);
      element.on('change', ({ error }) => show(id, Boolean(error)));
      element.on('focus', () => at(id).classList.add('focused'));
      element.on('blur', () => at(id).classList.remove('focused'));
      return [id, element];
    })
  : [];
if (!stripe) {
  at('lost').hidden = false;
  for (const id of Object.keys(fields)) at(id).closest('.field').hidden = true;
}

/** The field that an error of Stripe's form is about; null for one about the connection. */
function fieldOf({ type, code = '' }) {
  if (type !== 'validation_error' && type !== 'card_error') return null;
  if (code.includes('expiry')) return 'expiry';
  return code.includes('cvc') ? 'cvc' : 'number';
}

async function tokenize() {
  if (!stripe) return tell({ kind: 'wrong' });
  at('lost').hidden = true;
  const [[, number]] = mounted;
  const { token, error } = await stripe.createToken(number).catch((failed) => ({ error: failed }));
  if (token) return tell({ kind: 'token', token: token.id });
  const field = fieldOf(error ?? {});
  if (field === null) at('lost').hidden = false;
  else {
    show(field, true);
    mounted.find(([id]) => id === field)[1].focus();
  }
  tell({ kind: 'wrong' });
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
if (!stripe) tell({ kind: 'ready' });
