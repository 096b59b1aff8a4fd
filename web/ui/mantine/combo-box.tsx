import { useLingui } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';

interface ComboBoxProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** What can be chosen, in the order shown. */
  choices: readonly { value: string; label: string }[];
  value: string | null;
  onChange: (value: string | null) => void;
}

/** One of many, found by typing. For up to a dozen the plain Select is better. */
export function ComboBox({ label, hint, error, choices, value, onChange }: ComboBoxProps) {
  const { t } = useLingui();
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t`Clear` }}
      nothingFoundMessage={t`Nothing found`}
      label={label}
      description={hint}
      error={error}
      data={choices}
      value={value}
      onChange={onChange}
      comboboxProps={{ zIndex: 300, withinPortal: false }}
    />
  );
}
