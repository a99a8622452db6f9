import type { TypographyVariantsOptions } from '@mui/material/styles';

/** Inter. Until it is loaded, system fonts with Inter's metrics (fallback-fonts.css). */
export const sans = "'Inter Variable', 'Inter by Arial', 'Inter by Roboto', 'Inter by DejaVu', system-ui, sans-serif";
export const mono = "'JetBrains Mono Variable', ui-monospace, monospace";

declare module '@mui/material/styles' {
  interface TypographyVariants {
    mono: React.CSSProperties;
    figure: React.CSSProperties;
  }
  interface TypographyVariantsOptions {
    mono?: React.CSSProperties;
    figure?: React.CSSProperties;
  }
}
declare module '@mui/material/Typography' {
  interface TypographyPropsVariantOverrides {
    mono: true;
    figure: true;
  }
}

/** The type scale (12 13 14 16 18 22 28 40). Inter is for words and figures, JetBrains Mono for addresses and ids. */
export const typography: TypographyVariantsOptions = {
  fontFamily: sans,
  fontSize: 14,
  fontWeightMedium: 550,
  fontWeightBold: 650,
  h1: { fontSize: '1.375rem', lineHeight: 1.3, fontWeight: 650, letterSpacing: '-0.018em' },
  h2: { fontSize: '1.125rem', lineHeight: 1.35, fontWeight: 620, letterSpacing: '-0.012em' },
  h3: { fontSize: '1rem', lineHeight: 1.4, fontWeight: 600, letterSpacing: '-0.006em' },
  h4: { fontSize: '0.875rem', lineHeight: 1.45, fontWeight: 600 },
  h5: { fontSize: '1.75rem', lineHeight: 1.2, fontWeight: 660, letterSpacing: '-0.022em' },
  h6: { fontSize: '2.5rem', lineHeight: 1.1, fontWeight: 680, letterSpacing: '-0.032em' },
  subtitle1: { fontSize: '1rem', lineHeight: 1.5 },
  subtitle2: { fontSize: '0.8125rem', lineHeight: 1.45, fontWeight: 600 },
  body1: { fontSize: '0.875rem', lineHeight: 1.55 },
  body2: { fontSize: '0.8125rem', lineHeight: 1.5 },
  caption: { fontSize: '0.75rem', lineHeight: 1.45 },
  button: { fontSize: '0.875rem', lineHeight: 1.4, fontWeight: 580, textTransform: 'none', letterSpacing: 0 },
  mono: { fontFamily: mono, fontSize: '0.8125rem', lineHeight: 1.5, letterSpacing: '-0.01em' },
  figure: {
    fontFamily: sans,
    fontSize: '1.375rem',
    lineHeight: 1.2,
    fontWeight: 620,
    fontVariantNumeric: 'tabular-nums',
    letterSpacing: '-0.02em',
  },
};
