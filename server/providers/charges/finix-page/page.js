const { application, environment, options, lost, wrong } = JSON.parse(document.getElementById('data').textContent);
const wanted = /^#(light|dark)$/.exec(location.hash)?.[1];
if (wanted) document.documentElement.dataset.scheme = wanted;

const at = (id) => document.getElementById(id);
const tell = (message) => window.parent !== window && window.parent.postMessage(message, location.origin);
new ResizeObserver(() => tell({ cardFormHeight: Math.ceil(document.documentElement.scrollHeight) })).observe(
  at('main'),
);

function showProblem(problem) {
  at('lost').textContent = problem;
  at('lost').hidden = problem === '';
}

/** Null if Finix's script did not come: then nobody can pay. The number goes from its frame to Finix. */
const form = window.Finix ? window.Finix.PaymentForm('card', environment, application, options) : null;
if (!form) {
  showProblem(lost);
  at('pay').hidden = true;
}

at('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const button = at('pay');
  if (!form || button.getAttribute('aria-disabled') === 'true') return;
  const label = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  button.textContent = button.dataset.busy;
  showProblem('');
  form.submit((error, response) => {
    const token = response?.data?.id;
    // The page around this one pays with it, and shows what became of it.
    if (!error && typeof token === 'string') return tell({ card: token });
    showProblem(wrong);
    button.removeAttribute('aria-disabled');
    button.textContent = label;
  });
});
