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
