import { useColorScheme } from '@mui/material/styles';
import type { Appearance } from '@stripe/stripe-js';
import { useMemo } from 'react';

const COLOURS = {
  colorPrimary: 'primary-main', colorBackground: 'surface-panel', colorText: 'text-primary', colorTextSecondary: 'text-secondary', colorDanger: 'error-main',
};

/** Stripe's form in the colours of the present scheme; it stands in a frame of its own, so it is told their values. */
export function useAppearance(): Appearance {
  const { colorScheme } = useColorScheme();
  return useMemo(() => {
    const styles = getComputedStyle(document.documentElement);
    const colours = Object.entries(COLOURS).map(([name, token]) => [name, styles.getPropertyValue(`--sc-palette-${token}`).trim()]);
    const known = Object.fromEntries(colours.filter(([, value]) => value)) as Record<string, string>;
    return { theme: colorScheme === 'light' ? 'stripe' : 'night', variables: { ...known, borderRadius: '8px', fontFamily: 'system-ui, sans-serif', fontSizeBase: '14px' } };
  }, [colorScheme]);
}
