/** The product's mark, as in web/kit/styles/icon.svg, for the colored panel: green on white. */
export function ProductMark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="7" fill="#fff" />
      <g fill="none" stroke="#087f5b" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M9 25V8.5A1.5 1.5 0 0 1 10.5 7H21.5A1.5 1.5 0 0 1 23 8.5V25" />
        <path d="M6.5 25h19" />
        <path d="M18.8 16.2v.1" />
      </g>
    </svg>
  );
}
