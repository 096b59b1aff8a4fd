// The page around this one loads this script again if it does not come in time: the first one that comes starts the form.
if (document.documentElement.dataset.started === undefined) {
  document.documentElement.dataset.started = '';
  start();
}

function start() {
  const { errors } = JSON.parse(document.getElementById('data').textContent);
  const wanted = /^#(light|dark)$/.exec(location.hash)?.[1];
  if (wanted) document.documentElement.dataset.scheme = wanted;

  const at = (id) => document.getElementById(id);
  const tell = (message) => window.parent !== window && window.parent.postMessage(message, location.origin);
  const digits = (id) => at(id).value.replace(/\D/g, '');

  new ResizeObserver(() => tell({ cardFormHeight: Math.ceil(document.documentElement.scrollHeight) })).observe(
    at('main'),
  );

  /** Luhn: the check digit of a card number. */
  const isCardNumber = (number) =>
    /^\d{13,19}$/.test(number) &&
    [...number].reverse().reduce((sum, digit, i) => {
      const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0) %
      10 ===
      0;

  /** MM/YY or MM/YYYY that is not over yet. */
  function isExpiry(text) {
    const [, month, year] = /^(0[1-9]|1[0-2])(\d{2}|20\d{2})$/.exec(text) ?? [];
    if (!month) return false;
    const now = new Date();
    return Number(year.slice(-2)) * 12 + Number(month) >= (now.getFullYear() % 100) * 12 + now.getMonth() + 1;
  }

  /** Shows or takes away what is wrong at a field; true if something is. */
  function wrong(field, isWrong) {
    at(`${field}-error`).textContent = isWrong ? errors[field] : '';
    at(`${field}-error`).hidden = !isWrong;
    at(field).setAttribute('aria-invalid', String(isWrong));
    return isWrong;
  }
  for (const field of ['name', 'number', 'expiry', 'cvc'])
    at(field).addEventListener('input', () => wrong(field, false));

  at('number').addEventListener('input', () => {
    const grouped = digits('number')
      .slice(0, 19)
      .replace(/(\d{4})(?=\d)/g, '$1 ');
    if (at('number').selectionStart === at('number').value.length) at('number').value = grouped;
  });
  at('expiry').addEventListener('input', (event) => {
    const typed = digits('expiry');
    if (typed.length === 2 && event.inputType === 'insertText' && !at('expiry').value.includes('/'))
      at('expiry').value = `${typed}/`;
  });

  at('form').addEventListener('submit', (event) => {
    event.preventDefault();
    const problems = [
      wrong('name', at('name').value.trim() === '') && 'name',
      wrong('number', !isCardNumber(digits('number'))) && 'number',
      wrong('expiry', !isExpiry(digits('expiry'))) && 'expiry',
      wrong('cvc', !/^\d{3,4}$/.test(digits('cvc'))) && 'cvc',
    ].filter(Boolean);
    if (problems.length > 0) return at(problems[0]).focus();
    void send();
  });

  async function send() {
    const button = at('pay');
    if (button.getAttribute('aria-disabled') === 'true') return;
    const label = button.textContent;
    button.setAttribute('aria-disabled', 'true');
    button.textContent = button.dataset.busy;
    at('lost').hidden = true;
    try {
      const answer = await fetch('/charges/cards', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ number: digits('number') }),
      });
      if (answer.status === 429) throw new Error('busy');
      if (answer.status === 400) throw new Error('noTestCard');
      if (!answer.ok) throw new Error('lost');
      const { card } = await answer.json();
      // The page around this one pays with it, and shows what became of it.
      tell({ card });
    } catch (error) {
      at('lost').textContent = errors[error.message] ?? errors.lost;
      at('lost').hidden = false;
      button.removeAttribute('aria-disabled');
      button.textContent = label;
    }
  }

  // Without this script a press would be lost.
  at('pay').disabled = false;
}
