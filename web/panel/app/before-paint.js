// Runs before the first paint: the person's colours, so that a dark panel never flashes white.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('anteroom.scheme');
  } catch {
    // Storage is switched off: follow the machine.
  }
  var dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.setAttribute('data-color-scheme', dark ? 'dark' : 'light');
})();

// Asks for today's queue while the panel's code loads. read-today.ts takes the answer.
(function () {
  var boot = document.getElementById('boot');
  var session = boot && location.pathname === '/dashboard' && JSON.parse(boot.textContent).session;
  if (!session || session.gate.because !== 'ready') return;
  window.anteroomQueue = fetch('/api/virtual-queue/changes', {
    credentials: 'same-origin',
    cache: 'no-store',
    headers: { accept: 'application/json', 'x-office': session.office.id },
  }).then(
    // Without an answer of its own, read-today.ts asks again, and shows what is wrong.
    function (answer) {
      return answer.ok ? answer : undefined;
    },
    function () {},
  );
  // The thread is idle until the code is here. The first formatter of a page costs some 20 ms, the ones after it little.
  new Intl.DateTimeFormat('en-CA', { timeZone: session.office.timeZone }).format();
})();
