import './styles.ts';
import { createTheme, Input, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useScheme } from '#web/kit/scheme.ts';
import css from './with-mantine.module.css';

const theme = createTheme({
  primaryColor: 'green',
  fontFamily: 'var(--font)',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Input: Input.extend({ classNames: { wrapper: css.input } }),
    InputWrapper: Input.Wrapper.extend({ classNames: { label: css.label, error: css.error } }),
  },
});

/**
 * Mantine for the rooms that need its larger parts (searchable choices, calendars). Import it from a lazy room only:
 * it weighs 49 kB, which the queue does without. It writes no <style>: colours come from theme.css, and components that generate
 * one (Grid, Flex, SimpleGrid, AppShell, responsive props) are not for us.
 */
export function WithMantine({ children }: { children: ReactNode }) {
  const scheme = useScheme();
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  );
}
