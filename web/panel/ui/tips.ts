import './tips.css';

/** Escape hides the tooltip that is showing, until the pointer or the focus moves on (WCAG 1.4.13). */
export function watchTips(): void {
  const page = document.documentElement;
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') page.dataset.tips = 'off';
  });
  for (const moved of ['pointerover', 'focusin']) document.addEventListener(moved, () => delete page.dataset.tips);
}
