import './tips.css';

/** Escape hides the visible tooltip until the pointer or the focus moves (WCAG 1.4.13). */
export function startTooltips(): void {
  const page = document.documentElement;
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') page.dataset.tips = 'off';
  });
  for (const moved of ['pointerover', 'focusin']) document.addEventListener(moved, () => delete page.dataset.tips);
}
