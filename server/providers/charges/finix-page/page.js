// The page around this one loads this script again if it does not come in time: the first one that comes starts the form.
if (document.documentElement.dataset.started === undefined) {
  document.documentElement.dataset.started = '';
  start();
}

function start() {
  const { application, environment, options, lost, wrong } = JSON.parse(document.getElementById('data').textContent);
  const wanted = /^#(light|dark)$/.exec(location.hash)?.[1];
  if (wanted) document.documentElement.dataset.scheme = wanted;

  const at = (id) => document.getElementById(id);
  const tell = (message) => window.parent !== window && window.parent.postMessage(message, location.origin);
  new ResizeObserver(() => tell({ cardFormHeight: Math.ceil(document.documentElement.scrollHeight) })).observe(
    at('main'),
  );

  const pay = at('pay');
  const payLabel = pay.textContent;
  const longestWaitMs = 15_000;

  function showProblem(problem) {
    at('lost').textContent = problem;
    at('lost').hidden = problem === '';
  }

  /** The button is disabled until this: Finix answers no press before its fields have loaded. */
  function ready() {
    clearTimeout(late);
    showProblem('');
    at('loading').hidden = true;
    pay.textContent = payLabel;
    pay.disabled = false;
  }

  /** Finix's script or its fields did not come: nobody can pay, but the page can be loaded again. */
  function notLoaded() {
    showProblem(lost);
    at('loading').hidden = true;
    pay.textContent = pay.dataset.again;
    pay.disabled = false;
  }
  const late = setTimeout(notLoaded, longestWaitMs);

  /** Null if Finix's script did not come. The number goes from its frame to Finix. */
  const form = window.Finix
    ? window.Finix.PaymentForm('card', environment, application, { ...options, onLoad: ready })
    : null;
  if (!form) {
    clearTimeout(late);
    notLoaded();
  }

  at('form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (pay.getAttribute('aria-disabled') === 'true') return;
    if (pay.textContent !== payLabel) return location.reload();
    pay.setAttribute('aria-disabled', 'true');
    pay.textContent = pay.dataset.busy;
    showProblem('');
    form.submit((error, response) => {
      const token = response?.data?.id;
      // The page around this one pays with it, and shows what became of it.
      if (!error && typeof token === 'string') return tell({ card: token });
      showProblem(wrong);
      pay.removeAttribute('aria-disabled');
      pay.textContent = payLabel;
    });
  });
}
