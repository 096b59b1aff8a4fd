import { formatPhone } from '#contract/phone-format.ts';

/** A phone number; pressing it calls. Apart from `format.tsx`, because it is part of a page's first paint. */
export function PhoneLink({ value, className }: { value: string; className?: string | undefined }) {
  return (
    <a className={className} href={`tel:${value}`} dir="ltr">
      {formatPhone(value)}
    </a>
  );
}
